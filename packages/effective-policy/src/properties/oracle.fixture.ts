/**
 * A second implementation of effective policies, naive on purpose: it writes out every path of a small world, lists the
 * levels and policies of each, and reduces them pairwise on plain specs. It knows resources only and shares no code with
 * the packages.
 */
import type { Rules, World } from './worlds.fixture.ts';

/** What applies at the end of one path. */
export interface ExpectedPath {
  readonly target: string;
  readonly path: readonly string[];
  /** The levels that have policies, the least specific first. */
  readonly levels: readonly string[];
  /** The effective spec; `undefined` without a policy. */
  readonly spec: Json | undefined;
  /** Everything that was merged, by policy and place in it, with what each said. */
  readonly layers: readonly Layer[];
}

type Json = { [key: string]: unknown };

export interface Layer {
  readonly policy: string;
  readonly pointer: string;
  readonly isOwn: boolean;
  readonly stanza: 'defaults' | 'overrides';
  readonly strategy: string;
  readonly spec: Json;
  readonly seconds: number;
  readonly level: string;
}

interface Ref extends Json {
  kind: string;
  name: string;
  namespace?: string;
  sections?: string[];
}

interface Target {
  readonly locator: string;
  readonly object: string;
  readonly sections: readonly string[];
  readonly namespace: string | undefined;
  readonly kind: string;
  readonly refs: readonly Ref[];
  readonly own: Json | undefined;
}

const order = ['City', 'Museum', 'Exhibition', 'Artwork'];

/** Every path to every target. */
export function expectedPaths(world: World): readonly ExpectedPath[] {
  const targets = targetsOf(world);
  const attached = policiesByTarget(world);
  return enumerate(targets).map((path) => {
    const target = path.at(-1) as string;
    const levels = path.flatMap((step) => {
      const { object, namespace, kind } = targets.get(step) as Target;
      const counts = world.rules.namespaceLevels?.includes(kind as 'Museum') ?? true;
      return step === object && namespace !== undefined && targets.has(namespace) && counts
        ? [namespace, step]
        : [step];
    });
    const used = levels.filter((level) => attached.has(level));
    const stacked = used.map((level) => attached.get(level) as Layer[]);
    const layers = onceEach(
      stacked
        .map((layers) => onLevel(layers, world.rules))
        .reverse()
        .flat(),
    );
    const own = ownLayer(targets.get(target) as Target);
    const spec = used.length === 0 ? undefined : reduce(own === undefined ? layers : [own, ...layers], world.rules);
    return {
      target,
      path,
      levels: used,
      spec,
      layers: own === undefined || used.length === 0 ? layers : [own, ...layers],
    };
  });
}

function targetsOf({ resources }: World): Map<string, Target> {
  const targets = new Map<string, Target>();
  for (const { kind, metadata, spec } of resources) {
    const { sections = [], refs = [], own } = (spec ?? {}) as { sections?: Json[]; refs?: Ref[]; own?: Json };
    if (kind === 'Namespace') {
      const locator = `namespace:${metadata.name}`;
      targets.set(locator, { locator, object: locator, sections: [], namespace: undefined, kind, refs: [], own });
    }
    if (!order.includes(kind)) continue;
    const object = locate(kind, metadata.name, metadata.namespace ?? undefined);
    const namespace = kind === 'City' ? undefined : `namespace:${metadata.namespace}`;
    const parts = sections.map((section) => `${object}#${section.name}`);
    targets.set(object, { locator: object, object, sections: parts, namespace, kind, refs, own });
    for (const [index, section] of sections.entries()) {
      const locator = parts[index] as string;
      const part = section as { refs?: Ref[]; own?: Json };
      targets.set(locator, { locator, object, sections: [], namespace, kind, refs: part.refs ?? [], own: part.own });
    }
  }
  return targets;
}

function locate(kind: string, name: string, namespace: string | undefined): string {
  return `${kind.toLowerCase()}.museum.example.com:${kind === 'City' ? '' : `${namespace}/`}${name}`;
}

/** Who leads to whom. */
function linksOf(targets: Map<string, Target>): Map<string, Set<string>> {
  const links = new Map<string, Set<string>>();
  for (const { locator, kind, refs } of targets.values()) {
    for (const ref of refs) {
      const object = targets.get(locate(ref.kind, ref.name, ref.namespace));
      if (object === undefined) continue;
      const ends = ref.sections?.map((name) => `${object.locator}#${name}`) ?? [object.locator];
      for (const end of ends.filter((it) => targets.has(it))) {
        const isUp = order.indexOf(ref.kind) < order.indexOf(kind);
        const [above, beneath] = isUp ? [end, locator] : [locator, end];
        links.set(above, (links.get(above) ?? new Set()).add(beneath));
      }
    }
  }
  return links;
}

/** Writes out every path from every beginning, to the end and at each step on the way. */
function enumerate(targets: Map<string, Target>): readonly (readonly string[])[] {
  const links = linksOf(targets);
  const linked = new Set([...links.values()].flatMap((ends) => [...ends]));
  const found = new Map<string, readonly string[]>();
  const emit = (path: readonly string[]): void => {
    found.set(path.join(' '), path);
  };
  const follow = (path: readonly string[], from: readonly string[]): void => {
    const ends = new Set(from.flatMap((it) => [...(links.get(it) ?? [])]));
    for (const end of ends) {
      const object = end.split('#')[0] as string;
      if (object === end || !ends.has(object)) arrive(path, end); // The link to a whole makes those to its parts needless.
    }
  };
  const pass = (path: readonly string[], section: string, object: string): void => {
    emit([...path, object, section]);
    follow([...path, object, section], [section, object]);
  };
  const arrive = (path: readonly string[], at: string): void => {
    const { object, sections } = targets.get(at) as Target;
    emit([...path, object]);
    if (at !== object) {
      pass(path, at, object);
      return;
    }
    follow([...path, at], [at]);
    for (const section of sections) {
      emit([...path, at, section]);
      follow([...path, at, section], [section]);
    }
  };
  for (const { locator, object, sections } of targets.values()) {
    if (locator !== object || linked.has(object)) continue;
    const unlinked = sections.filter((section) => !linked.has(section));
    if (unlinked.length === sections.length) arrive([], object);
    else for (const section of unlinked) pass([], section, object);
  }
  return [...found.values()];
}

function policiesByTarget({ resources, rules }: World): Map<string, Layer[]> {
  const attached = new Map<string, Layer[]>();
  for (const { kind, metadata, spec } of resources) {
    if (kind !== 'CarePolicy') continue;
    const { targetRefs, ...rest } = spec as { targetRefs: (Ref & { sectionName?: string })[] } & Json;
    const time = metadata.creationTimestamp;
    const seconds = typeof time === 'string' ? Date.parse(time) : Number.POSITIVE_INFINITY;
    const policy = `${metadata.namespace}/${metadata.name}`;
    for (const { kind, name, namespace, sectionName } of targetRefs) {
      const object = kind === 'Namespace' ? `namespace:${name}` : locate(kind, name, namespace);
      const level = sectionName === undefined ? object : `${object}#${sectionName}`;
      const layers = stanzasOf(rest, rules).map((stanza) => ({ ...stanza, policy, seconds, level, isOwn: false }));
      attached.set(level, [...(attached.get(level) ?? []), ...layers]);
    }
  }
  return attached;
}

type Stanza = Pick<Layer, 'pointer' | 'stanza' | 'strategy' | 'spec'>;

/** In the order in which a policy applies them: defaults, bare fields, overrides. */
function stanzasOf(spec: Json, { merging }: Rules): readonly Stanza[] {
  if (merging === 'none') return [{ pointer: '/spec', stanza: 'defaults', strategy: 'none', spec }];
  const { defaults, overrides, strategy, ...bare } = spec;
  const wrapped = (stanza: 'defaults' | 'overrides', value: unknown): Stanza[] => {
    if (value === undefined) return [];
    const { strategy = 'atomic', ...proper } = value as Json;
    return [{ pointer: `/spec/${stanza}`, stanza, strategy: strategy as string, spec: proper }];
  };
  const isBare = Object.keys(bare).length > 0 || (defaults === undefined && overrides === undefined);
  const chosen = (strategy ?? 'atomic') as string;
  return [
    ...wrapped('defaults', defaults),
    ...(isBare ? [{ pointer: '/spec', stanza: 'defaults' as const, strategy: chosen, spec: bare }] : []),
    ...wrapped('overrides', overrides),
  ];
}

/** What the target itself says, beneath everything else (M-13). */
function ownLayer({ locator, own }: Target): Layer | undefined {
  if (own === undefined || Object.keys(own).length === 0) return undefined; // A target without any field says nothing.
  return {
    policy: locator,
    pointer: '',
    isOwn: true,
    stanza: 'defaults',
    strategy: 'atomic',
    spec: own,
    seconds: Number.POSITIVE_INFINITY,
    level: locator,
  };
}

function olderFirst(a: Layer, b: Layer): number {
  if (a.seconds !== b.seconds) return a.seconds < b.seconds ? -1 : 1;
  return a.policy < b.policy ? -1 : Number(a.policy > b.policy);
}

/** The layers of one level, the first one to be merged first, with the strategy that each follows (X-03). */
function onLevel(layers: readonly Layer[], { sameLevel }: Rules): readonly Layer[] {
  const newerFirst = [...layers].sort((a, b) => olderFirst(b, a));
  if (sameLevel === 'established-challenger') return newerFirst;
  const defaults = layers.filter(({ stanza }) => stanza === 'defaults').sort(olderFirst);
  const [oldest] = defaults;
  return [
    ...defaults.map((layer) =>
      layer.policy === oldest?.policy ? layer : { ...layer, strategy: oldest?.strategy ?? layer.strategy },
    ),
    ...newerFirst.filter(({ stanza }) => stanza === 'overrides'),
  ];
}

/** A policy that is met on several levels counts once: defaults the first time (from the bottom), overrides the last. */
function onceEach(layers: readonly Layer[]): readonly Layer[] {
  return layers.filter((layer, index) => {
    const rest = layer.stanza === 'defaults' ? layers.slice(0, index) : layers.slice(index + 1);
    return !rest.some(({ policy, pointer }) => policy === layer.policy && pointer === layer.pointer);
  });
}

/** Reduces layers, the most specific first, to one spec. */
function reduce(layers: readonly Layer[], { merging, reduction }: Rules): Json {
  if (merging === 'none') return keepOne(layers);
  if (reduction === 'bottom-up') {
    const [first, ...others] = layers as [Layer, ...Layer[]];
    return others.reduce((beneath, layer) => combine(layer.spec, beneath, layer), first.spec);
  }
  const stack = [...layers] as Layer[]; // The least specific on top.
  while (stack.length > 1) {
    const [a, b] = [stack.pop(), stack.pop()] as [Layer, Layer];
    stack.push({ ...b, spec: combine(a.spec, b.spec, a) });
  }
  return (stack[0] as Layer).spec;
}

/** None: on each object a section's policy before one for the whole, else the oldest; of these the oldest (X-08). */
function keepOne(layers: readonly Layer[]): Json {
  const policies = layers.filter(({ isOwn }) => !isOwn);
  const objects = [...new Set(policies.map(({ level }) => level.split('#')[0]))];
  const kept = objects.map((object) => {
    const rivals = policies.filter(({ level }) => level.split('#')[0] === object);
    const onSection = rivals.filter(({ level }) => level.includes('#'));
    return [...(onSection.length > 0 ? onSection : rivals)].sort(olderFirst)[0] as Layer;
  });
  return (kept.sort(olderFirst)[0] as Layer).spec;
}

function combine(established: Json, challenger: Json, { strategy, stanza }: Layer): Json {
  const [under, over] = stanza === 'defaults' ? [established, challenger] : [challenger, established];
  return strategy === 'atomic' ? over : (mergePatch(under, over) as Json);
}

/** RFC 7386, without `null`. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Json = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    result[key] = mergePatch(Object.hasOwn(result, key) ? result[key] : undefined, value);
  }
  return result;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
