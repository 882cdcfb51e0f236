/** The targets of a world, and every path through them, written out one by one. */
import type { World } from '../worlds.fixture.ts';
import type { Doc } from './documents.fixture.ts';

export interface Target {
  readonly locator: string;
  /** The locator of the whole, of a section; else its own. */
  readonly object: string;
  readonly sections: readonly string[];
  readonly namespace: string | undefined;
  readonly kind: string;
  readonly refs: readonly Ref[];
  /** The names of the policies that it names itself. */
  readonly policies: readonly string[];
  /** What it says itself. */
  readonly own: Doc | undefined;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Ref extends Doc {
  kind: string;
  name: string;
  namespace?: string;
  sections?: string[];
}

/** What a section of a resource, or its spec, may hold. */
interface Part {
  readonly refs?: Ref[];
  readonly own?: Doc;
  readonly policies?: string[];
}

export type Path = readonly string[];

const order = ['City', 'Museum', 'Exhibition', 'Artwork'];

/** Returns the targets of a world, by locator. */
export function targetsOf({ resources }: World): Map<string, Target> {
  const targets = new Map<string, Target>();
  for (const { kind, metadata, spec } of resources) {
    const annotations = metadata.annotations ?? {};
    const { sections = [], refs = [], own } = (spec ?? {}) as Part & { sections?: (Part & { name: string })[] };
    if (kind === 'Namespace') {
      const locator = `namespace:${metadata.name}`;
      const none = { sections: [], namespace: undefined, refs: [], policies: [], own };
      targets.set(locator, { locator, object: locator, kind, annotations, ...none });
    }
    if (!order.includes(kind)) continue;
    const object = locate(kind, metadata.name, metadata.namespace ?? undefined);
    const namespace = kind === 'City' ? undefined : `namespace:${metadata.namespace}`;
    const parts = sections.map((section) => `${object}#${section.name}`);
    const common = { object, namespace, kind, annotations };
    targets.set(object, { ...common, locator: object, sections: parts, refs, policies: [], own });
    for (const { name, refs = [], policies = [], own } of sections) {
      const locator = `${object}#${name}`;
      targets.set(locator, { ...common, locator, sections: [], refs, policies, own });
    }
  }
  return targets;
}

/** Returns the locator of a resource. */
export function locate(kind: string, name: string, namespace: string | undefined): string {
  if (kind === 'Namespace') return `namespace:${name}`;
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
        const [above, below] = isUp ? [end, locator] : [locator, end];
        links.set(above, (links.get(above) ?? new Set()).add(below));
      }
    }
  }
  return links;
}

/** Writes out every path from every beginning, to the end and at each step on the way. None begins at what needs a parent. */
export function pathsThrough(targets: Map<string, Target>, { needParent }: Pick<World, 'needParent'>): readonly Path[] {
  const links = linksOf(targets);
  const linked = new Set([...links.values()].flatMap((ends) => [...ends]));
  const found = new Map<string, Path>();
  const emit = (path: Path): void => {
    found.set(path.join(' '), path);
  };
  const follow = (path: Path, from: readonly string[]): void => {
    const ends = new Set(from.flatMap((it) => [...(links.get(it) ?? [])]));
    for (const end of ends) {
      const object = end.split('#')[0] as string;
      if (object === end || !ends.has(object)) arrive(path, end); // The link to a whole makes those to its parts needless.
    }
  };
  const pass = (path: Path, section: string, object: string): void => {
    emit([...path, object, section]);
    follow([...path, object, section], [section, object]);
  };
  const arrive = (path: Path, at: string): void => {
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
  for (const { locator, object, sections, kind } of targets.values()) {
    if (locator !== object || linked.has(object) || needParent.some((it) => it === kind)) continue;
    const unlinked = sections.filter((section) => !linked.has(section));
    if (unlinked.length === sections.length) arrive([], object);
    else for (const section of unlinked) pass([], section, object);
  }
  return [...found.values()];
}
