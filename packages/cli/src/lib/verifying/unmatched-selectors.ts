import { gatewayListeners } from '@policy-machinery/gateway-api';
import type { Guarantee, Verdict } from '@policy-machinery/guarantees';
import { locatorOfGuarantee } from '@policy-machinery/guarantees/inner';
import {
  formatPointer,
  type Issue,
  objectIn,
  objectsIn,
  parseLocator,
  specOf,
  stringIn,
} from '@policy-machinery/resource';
import { unreadInput } from '../input/unread-input.ts';
import { closestNames, suggestion } from '../model/closest.ts';
import type { World } from '../model/world.ts';
import { ofBase } from './read-guarantees.ts';
import { verifyWorld } from './verify-world.ts';

/** An entry of a list in a selector, of which one suffices, or a label. */
interface Entry {
  readonly path: readonly string[];
  readonly text: string;
  readonly within: { readonly namespaces?: readonly string[] };
  readonly alone: object;
  readonly isOnly: boolean;
}

/** The lists of which one entry suffices. */
const alternatives = new Set(['hostnames', 'paths', 'methods', 'listeners', 'namespaces', 'names', 'values']);

/** The methods of matches. A guarantee may name one before a rule takes it. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'];

/** The objects that each field of a selector is about. */
const kinds = new Map([
  ['gateways', ['Gateway', /^(?:Gateway|Service|ServiceFrontend)$/] as const],
  ['routes', ['route', /Route$/] as const],
  ['backends', ['backend', /./] as const],
]);

/**
 * Returns the names in selectors of guarantees that nothing in the input has: a guarantee about them alone says nothing.
 *
 * @param guarantees The guarantees. One with `mayBeEmpty` may name anything.
 * @returns An error for each name, at its place, with the closest names that exist. None if there is unread input, which may have the name.
 */
export function unmatchedSelectors(world: World, guarantees: readonly Guarantee[]): readonly Issue[] {
  if (unreadInput(world).length > 0) return [];
  const namesFor = namesIn(world);
  return guarantees.flatMap((guarantee) => {
    const { requests, except, other, mayBeEmpty } = guarantee;
    const entries = mayBeEmpty === true ? [] : [...entriesOf({ requests, except, other })];
    return entries.flatMap((entry) => {
      const { what, names } = namesFor(entry);
      const isKnown = what === undefined || names.length === 0 || names.includes(entry.text) || names.includes('?');
      return isKnown ? [] : issueAbout(guarantee, entry, `is not a ${what} of the input`, names);
    });
  });
}

/**
 * Returns the entries of guarantees' lists that select no requests: a guarantee that holds says nothing about them. O(entries) verifications.
 *
 * @param verdicts The verdicts of the guarantees. Where input is not known, an entry may select requests.
 * @returns An error for each entry beside others, at its place; for an only entry, if a similar name is in the input. A change may remove the requests
 * that it removes from a guarantee, too.
 */
export function unusedEntries(world: World, verdicts: readonly Verdict[], before?: World): readonly Issue[] {
  const asked = verdicts.flatMap(({ guarantee, classes, notKnown, hiddenBy }) => {
    const { about, mayBeEmpty, requests } = guarantee;
    const isAsked = about !== 'policies' && mayBeEmpty !== true && !guarantee.name.endsWith(ofBase);
    if (!isAsked || notKnown.length + hiddenBy.length > 0) return [];
    const entries = [...entriesOf({ requests })].filter(({ isOnly }) => !isOnly || classes === 0);
    return entries.map((entry, index) => ({ guarantee, entry, name: `${guarantee.name}#${index}` }));
  });
  const guarantees = asked.map(({ guarantee, entry, name }) => ({ ...guarantee, ...entry.alone, name }));
  const whole = { ...world, scope: { namespace: undefined } };
  const results = verifyWorld(whole, { guarantees, locate: (issue) => issue }, before);
  const namesFor = namesIn(world);
  return results.flatMap(({ classes, hiddenBy }, index) => {
    const { guarantee, entry } = asked[index] ?? {};
    if (guarantee === undefined || entry === undefined || classes + hiddenBy.length > 0) return [];
    const { text = entry.text, names } = namesFor(entry);
    const isMeant = entry.isOnly
      ? names.includes(text) || closestNames(text, names).length === 0
      : methods.includes(text);
    return isMeant ? [] : issueAbout(guarantee, { ...entry, text }, 'selects no requests', names);
  });
}

function issueAbout(guarantee: Guarantee, { path, text }: Entry, fault: string, names: readonly string[]): Issue {
  const remedy = suggestion(text, names.includes(text) ? [] : names, 'correct it, or set mayBeEmpty: true');
  return {
    code: 'guarantee-selects-nothing',
    severity: 'error',
    message: `${text} ${fault}; ${remedy}`,
    resource: locatorOfGuarantee(guarantee),
    pointer: formatPointer(['spec', ...path]),
  };
}

/** Returns the entries of a selector's lists, and its labels. */
function* entriesOf(within: object, path: readonly string[] = []): Iterable<Entry> {
  for (const [key, value] of Object.entries(within)) {
    const at = [...path, key];
    if (key === 'values' && objectIn(within).operator !== 'In') continue;
    if (path.at(-1) === 'matchLabels') yield { path: at, text: value, within, alone: within, isOnly: true };
    if (typeof value !== 'object' || value === null) continue;
    const list = Array.isArray(value) && alternatives.has(key) ? value : [];
    const entries = list.map((item, index) => {
      return { path: [...at, `${index}`], text: item.value ?? item, within, alone: [item], isOnly: list.length === 1 };
    });
    for (const entry of entries.length > 0 ? entries : entriesOf(value, at)) {
      const alone = Array.isArray(within) ? within.with(Number(key), entry.alone) : { ...within, [key]: entry.alone };
      yield { ...entry, alone };
    }
  }
}

/** Returns a function that returns the names that an entry may have: with the kind of an object, if the input has all of them. */
function namesIn({ objects, topology }: World) {
  const nodes = [...topology.targets].filter(({ section }) => section === undefined);
  const named = topology.unresolved.filter(({ isUndecided }) => isUndecided);
  const refs = [
    ...nodes.map(({ ref }) => ref),
    ...named.map(({ missing, reference: { to } }) => ({ ...parseLocator(missing), kind: to.kind })),
  ];
  const specs = objects.map(specOf);
  const matches = specs.flatMap(({ rules }) => objectsIn(rules).flatMap((rule) => objectsIn(rule.matches)));
  const listeners = nodes.flatMap((node) => gatewayListeners(node));
  const labels = objects.map(({ metadata }) => metadata.labels ?? {});
  const keys = labels.flatMap(Object.keys);
  const values = labels.flatMap(Object.values);
  const known = new Map<string, readonly unknown[]>([
    ['hostnames', [...specs.flatMap(({ hostnames }) => hostnames), ...listeners.map(({ hostname }) => hostname)]],
    ['paths', matches.map(({ path }) => objectIn(path).value)],
    ['methods', methods],
    ['listeners', listeners.map(({ name }) => name)],
    ['values', values],
  ]);
  return ({ path, within }: Entry): { what?: string; text?: string; names: readonly string[] } => {
    const [field = '', list = '', key = ''] = path.slice(-3);
    if (list === 'matchLabels') return keys.includes(key) ? { names: values } : { text: key, names: keys };
    const names = (known.get(list) ?? []).flatMap((name) => stringIn(name) ?? []);
    const [what, pattern] = kinds.get(field) ?? [list === 'listeners' ? 'listener' : undefined];
    if (what === undefined || pattern === undefined) return { names, ...(what && { what }) };
    const meant = refs.filter(({ kind }) => pattern.test(kind));
    const namespaces = meant.map(({ namespace = '' }) => namespace);
    if (list === 'namespaces') return { what: `namespace with a ${what}`, names: namespaces };
    const inside = meant.filter(({ namespace = '' }) => within.namespaces?.includes(namespace) !== false);
    return { what, names: inside.map(({ name }) => name) };
  };
}
