import { Interned } from './interned.ts';
import { countsIn } from './report.ts';
import type { FieldRow, IssueRow, LayerRow, LossRow, ReportData, ShareRow, Text, ViewData } from './report-data.ts';

/** Where objects are: their kind as the page writes it, and their namespace, if they have one. */
export interface DataPlace {
  readonly kind: string;
  readonly namespace: string | undefined;
}

/** Returns whether a viewer may read the objects at a place. */
export type MayRead = (place: DataPlace) => boolean;

/** Stands for a value that the viewer may not know. */
const hiddenValue = '(hidden)';
/** Stands for a text that names what the viewer may not read. */
const hiddenText = 'Not shown, since it names what you may not read.';

/** Returns the places of all objects and policies in the data of a page, each once. */
export function placesIn(data: ReportData): readonly DataPlace[] {
  const places = new Map<string, DataPlace>();
  for (const row of [...data.targets, ...data.policies]) {
    if (row === null || typeof row === 'number') continue;
    const [kind, namespace] = row;
    places.set(`${kind} ${namespace}`, placeOf(data, kind, namespace));
  }
  return [...places.values()];
}

/**
 * Returns the data of a page without what a viewer may not read. Hidden objects keep their kind and their namespace, hidden policies their outcome
 * as well. Values that a hidden policy sets, texts that name hidden objects, and answers to requests that a hidden route could take are left out.
 *
 * @param data The data.
 * @param mayRead Returns what the viewer may read.
 * @returns The same data if nothing is hidden; otherwise data whose texts are only those that are left. O(data).
 */
export function redacted(data: ReportData, mayRead: MayRead): ReportData {
  const texts = new Interned<string>();
  const say = (text: string): Text => texts.place(text);
  const textOf = (text: Text): string => data.texts[text] ?? '';
  const keep = (text: Text): Text => say(textOf(text));
  const keepOr = (text: Text | -1): Text | -1 => (text === -1 ? -1 : keep(text));
  const owners = ownersIn(data);
  const hiddenPolicies = data.policies.map((row) => row !== null && !mayRead(placeOf(data, row[0], row[1])));
  const hiddenTargets = data.targets.map((_, id) => {
    const owner = data.targets[owners[id] ?? -1];
    return typeof owner === 'object' && owner !== null && !mayRead(placeOf(data, owner[0], owner[1]));
  });
  const count =
    hiddenPolicies.filter(Boolean).length + hiddenTargets.filter((it, id) => it && owners[id] === id).length;
  // What is left of objects that are gone may be of some that the viewer could not read.
  const isAllThere = !data.targets.includes(null) && !data.policies.includes(null);
  if (count === 0 && isAllThere) return data;
  const placeText = (id: number): string => {
    const owner = data.targets[owners[id] ?? -1];
    if (typeof owner !== 'object' || owner === null) return hiddenValue;
    const { kind, namespace } = placeOf(data, owner[0], owner[1]);
    return namespace === undefined ? kind : `${kind} in ${namespace}`;
  };
  // What is not in the data, or gone, is not known, and so not readable.
  const isHiddenNode = (id: number): boolean => hiddenTargets[id] !== false || owners[id] === undefined;
  const isHiddenPolicy = (id: number): boolean => hiddenPolicies[id] !== false || data.policies[id] === null;

  const names = new Set<string>();
  for (const [id, row] of data.targets.entries()) {
    if (hiddenTargets[id] === true && row !== null) addName(names, typeof row === 'number' ? textOf(row) : row[2]);
  }
  for (const [id, row] of data.policies.entries())
    if (hiddenPolicies[id] === true && row !== null) addName(names, row[2]);
  const about = (text: Text): Text => say(namesAny(textOf(text), names) ? hiddenText : textOf(text));

  const view = (each: ViewData): ViewData => {
    const used = usedIn(each);
    const isHiddenLayer = (at: number): boolean => {
      const [policy, node] = each.layers[at] ?? [-1, -1];
      return policy === -1 ? isHiddenNode(node) : isHiddenPolicy(policy);
    };
    const layer = ([policy, node, how]: LayerRow): LayerRow => {
      const [, start = ''] = /^(.*?(?:^| )(?:on|by) )/.exec(textOf(how)) ?? [];
      return [policy, node, policy !== -1 && isHiddenNode(node) ? say(`${start}${placeText(node)}`) : keep(how)];
    };
    const loss = ([value, at, why]: LossRow): LossRow => [
      isHiddenLayer(at) ? say(hiddenValue) : keepOr(value),
      at,
      about(why),
    ];
    const field = ([pointer, value, by, over]: FieldRow): FieldRow => {
      const layers = [...by, ...over.flatMap((at) => each.losses[at]?.[1] ?? [])];
      const isKnown = layers.some((at) => !isHiddenLayer(at));
      return [
        isKnown ? keep(pointer) : say(`/${hiddenValue}`),
        !isKnown || by.some(isHiddenLayer) ? say(hiddenValue) : keepOr(value),
        by,
        over,
      ];
    };
    const share = ([policy, outcome, ...issues]: ShareRow): ShareRow => [
      policy,
      keep(outcome),
      ...(isHiddenPolicy(policy) ? [] : issues.map(about)),
    ];
    return {
      ...each,
      kind: keep(each.kind),
      layers: each.layers.map((row, at) => (used.layers.has(at) ? layer(row) : [row[0], row[1], say(hiddenValue)])),
      losses: each.losses.map((row, at) => (used.losses.has(at) ? loss(row) : [-1, row[1], say(hiddenValue)])),
      fields: each.fields.map((row, at) => (used.fields.has(at) ? field(row) : [say(`/${hiddenValue}`), -1, [], []])),
      shares: each.shares.map((row, at) => (used.shares.has(at) ? share(row) : [row[0], keep(row[1])])),
    };
  };
  const issues = data.issues.flatMap(([severity, message, where, policy, node]): readonly IssueRow[] => {
    const isAboutHidden = (policy !== -1 && isHiddenPolicy(policy)) || (node !== -1 && isHiddenNode(node));
    if (isAboutHidden || (policy === -1 && node === -1)) return [];
    return [[keep(severity), about(message), about(where), policy, node]];
  });
  const note = `You may not read ${count} of the objects and policies here: they have a kind, a namespace and an outcome, and no name.`;
  const rows: Omit<ReportData, 'texts'> = {
    title: data.title,
    made: data.made,
    notes: [...data.notes.map((each) => (namesAny(each, names) ? hiddenText : each)), ...(count > 0 ? [note] : [])],
    targets: data.targets.map((row, id) => {
      const isIt = isHiddenNode(id);
      if (row === null) return null;
      if (typeof row === 'number') return isIt ? say(sectionNumber(data, owners[id], id)) : keep(row);
      const [kind, namespace, name, ...sections] = row;
      return [keep(kind), keepOr(namespace), isIt ? nameless(id) : name, ...sections];
    }),
    links: data.links,
    policies: data.policies.map((row, id) => {
      if (row === null) return null;
      const [kind, namespace, name, outcome, message, targets] = row;
      const isIt = isHiddenPolicy(id);
      const why = isIt ? say('You may not read this policy.') : about(message);
      return [keep(kind), keepOr(namespace), isIt ? nameless(id) : name, keep(outcome), why, targets];
    }),
    views: data.views.map(view),
    ways: data.ways,
    requests: requestsFor(data, isHiddenNode),
    issues,
    // Guarantees are about all requests and policies.
    verdicts: [],
  };
  return { ...rows, texts: texts.values };
}

function placeOf({ texts }: ReportData, kind: Text, namespace: Text | -1): DataPlace {
  return { kind: texts[kind] ?? '', namespace: namespace === -1 ? undefined : (texts[namespace] ?? '') };
}

/** Returns what stands for a name: no object has such a name, and all are different, since the page finds targets by their names. */
function nameless(at: number): string {
  return `(hidden ${at + 1})`;
}

/** Returns the object of each target: of an object itself, of a section the one that has it; none of targets that are gone. */
function ownersIn({ targets }: ReportData): readonly (number | undefined)[] {
  const owners = targets.map((): number | undefined => undefined);
  for (const [id, row] of targets.entries()) {
    if (row === null || typeof row === 'number') continue;
    for (const each of [id, ...row.slice(3).map(Number)]) owners[each] = id;
  }
  return owners;
}

/** Returns what stands for the name of a section: its number. */
function sectionNumber({ targets }: ReportData, owner: number | undefined, section: number): string {
  const row = targets[owner ?? -1];
  return Array.isArray(row) ? String(row.slice(3).indexOf(section) + 1) : '';
}

/** The rows of a view that its targets lead to. Others are from before a change, and may name what is gone. */
function usedIn({ contexts, lists, below, groups, fields, losses }: ViewData) {
  const used = {
    layers: new Set<number>(),
    losses: new Set<number>(),
    fields: new Set<number>(),
    shares: new Set<number>(),
  };
  const places = new Set<number>();
  for (const list of new Set(contexts)) for (const [group] of lists[list] ?? []) places.add(group);
  for (const row of below) for (const [group] of countsIn(row)) places.add(group);
  for (const place of places) {
    const [ownFields = [], shares = []] = groups[place] ?? [];
    for (const share of shares) used.shares.add(share);
    for (const at of ownFields) {
      used.fields.add(at);
      const [, , by = [], over = []] = fields[at] ?? [];
      for (const layer of by) used.layers.add(layer);
      for (const loss of over) {
        used.losses.add(loss);
        const [, layer] = losses[loss] ?? [];
        if (layer !== undefined) used.layers.add(layer);
      }
    }
  }
  return used;
}

/** Returns the data for answers to requests; none if a Gateway or a route that could take them is hidden. Routes that are gone have no content. */
function requestsFor({ requests }: ReportData, isHidden: (node: number) => boolean): ReportData['requests'] {
  const { gateways, routes, routeLists } = requests;
  const listeners = gateways.flatMap(([, each]) => each);
  const lists = listeners.flatMap((each) => [each.routes, ...(each.delegated === undefined ? [] : [each.delegated])]);
  const used = new Set(lists.flatMap((list) => routeLists[list] ?? []));
  const there = routes.filter((_, at) => used.has(at));
  const nodes = [
    ...gateways.map(([node]) => node),
    ...listeners.map(({ node }) => node),
    ...there.flatMap(([node, , , , via = []]) => [node, ...via]),
  ];
  if (nodes.some(isHidden)) return { gateways: [], routeLists: [], routes: [], entries: [], isHidden: true };
  return { ...requests, routes: routes.map((row, at) => (used.has(at) ? row : [row[0], -1, []])) };
}

/** Adds a name, and the parts between its dots. Numbers, which unnamed sections have, are in all texts. */
function addName(names: Set<string>, name: string): void {
  for (const part of [name, ...name.split('.')]) if (!/^(?:rule-)?\d*$/.test(part)) names.add(part.toLowerCase());
}

/** Returns whether a text has one of some names, as a word or between dots. */
function namesAny(text: string, names: ReadonlySet<string>): boolean {
  const words = text.toLowerCase().split(/[^a-z0-9.-]+/);
  return words.some((word) => word.split('.').some((part) => names.has(part)));
}
