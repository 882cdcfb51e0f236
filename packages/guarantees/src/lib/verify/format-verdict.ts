import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import type { Policy } from '@policy-machinery/policy-kind';
import { formatTarget } from '@policy-machinery/topology';
import type { HiddenBy, OtherRequest } from './broken-class.ts';
import { backendOf } from './facts.ts';
import { formatRequest } from './replay.ts';
import { resultsOf } from './results.ts';
import type { Counterexample, Verdict } from './verdict.ts';

/** The readers of a text. */
export interface FormatOptions {
  /** Returns whether objects of a namespace are named; `undefined` stands for objects without one. Default: all are. */
  readonly isNamed?: ((namespace: string | undefined) => boolean) | undefined;
}

const isNamedAlways = (): boolean => true;

/**
 * Lists the policies that the request of a counterexample meets and lacks, of the kinds that the guarantee reads: `no AuthPolicy`. If it is
 * compared with another request, the same for that one.
 *
 * @param verdict The verdict with the counterexample.
 * @param options The readers, who decide which policies are named.
 */
export function formatMet(verdict: Verdict, example: Counterexample, options: FormatOptions = {}): string {
  const own = formatPolicies(verdict, example, options);
  return example.other === undefined ? own : `${own}, while ${formatOther(verdict, example.other, options)}`;
}

/**
 * Describes the handling of a counterexample's other request: `GET http://shop.example.com/ is taken by HTTPRoute
 * shop/cart#rule-1 at Gateway shop/public, goes to Service shop/cart and meets no AuthPolicy`.
 *
 * @param options The readers, who decide which routes, Gateways and policies are named.
 */
export function formatOther(verdict: Verdict, other: OtherRequest, options: FormatOptions = {}): string {
  const { isNamed = isNamedAlways } = options;
  const { takenBy, contender } = other;
  const isOwn = [takenBy?.route ?? contender.entry.node, contender.entry.node].every(({ ref }) =>
    isNamed(ref.namespace),
  );
  if (other.as === 'shadowed' && takenBy !== undefined) {
    const shadowed = isOwn ? formatTarget(takenBy.rule ?? takenBy.route) : 'a route in another namespace';
    const met = verdict.kinds.length === 0 ? '' : `, where it would meet ${formatPolicies(verdict, other, options)}`;
    return `it would otherwise be taken by ${shadowed}${met}`;
  }
  const isBefore = other.as === 'before';
  const name = isBefore ? 'it' : isOwn ? formatRequest(other) : 'the other request';
  const request = isBefore ? `before the change, ${name}` : name;
  const at = isOwn ? ` at ${formatTarget(contender.entry.node)}` : '';
  if (takenBy === undefined) return `${request} is taken by no rule${at}`;
  const taker = isOwn ? formatTarget(takenBy.rule ?? takenBy.route) : 'a route in another namespace';
  const backend = other.path && backendOf(other.path, takenBy);
  const isShown = isOwn && backend !== undefined && isNamed(backend.ref.namespace);
  const to = isShown ? `, goes to ${formatTarget(backend)}` : '';
  return `${request} is taken by ${taker}${at}${to} and meets ${formatPolicies(verdict, other, options)}`;
}

/**
 * Says which policies a request meets, and which it lacks, of the kinds that the guarantee reads: `no AuthPolicy`.
 *
 * @param met The policies of a request: a counterexample, or its other request.
 * @param options The readers, who decide which policies are named.
 */
export function formatPolicies(
  { kinds }: Verdict,
  { policies, concerns }: Pick<Counterexample, 'policies' | 'concerns'>,
  { isNamed = isNamedAlways }: FormatOptions = {},
): string {
  const met = [...policies].flatMap(([kind, policy]) =>
    kinds.length > 0 && !kinds.includes(kind) ? [] : [`${kind} ${formatResult(policy, isNamed)}`],
  );
  const lacking = kinds.filter((kind) => !policies.has(kind)).map((kind) => `no ${kind}`);
  const ofConcerns = [...concerns].map(([name, { protection = 'unknown', why }]) => `${name} ${protection} (${why})`);
  return [...met, ...lacking, ...ofConcerns].join(', ') || 'no policy that the guarantee is about';
}

/** Says which policies decide, and which lost to them, and why: `search/cors; infra/login lost to it, because mergeType is not set`. */
function formatResult(policy: EffectivePolicy<unknown>, isNamed: (namespace: string | undefined) => boolean): string {
  const { winners, lost } = resultsOf(policy);
  const isOwn = ({ resource }: Policy<unknown>): boolean => isNamed(resource.metadata.namespace);
  const names = new Set(winners.map((each) => (isOwn(each) ? each.name : 'of another namespace')));
  const nameOf = (each: Policy<unknown>): string => (isOwn(each) ? each.name : 'a policy of another namespace');
  const losers = lost.map(({ policy: loser, winners: direct, because }) => {
    const isToAll = direct.every((each) => winners.includes(each));
    const to = isToAll ? (names.size === 1 ? 'it' : 'them') : direct.map(nameOf).join(' and ');
    return `; ${nameOf(loser)} lost to ${to}, because ${because}`;
  });
  return [[...names].join(' and '), ...new Set(losers)].join('');
}

/** Returns the rule that takes the request of a counterexample: `HTTPRoute shop/cart#pay`, or `no rule`. */
export function formatTaker({ contender: { rule, route, isTaken } }: Pick<Counterexample, 'contender'>): string {
  return isTaken ? formatTarget(rule ?? route) : 'no rule';
}

/**
 * Describes a counterexample in a sentence without a full stop: `GET http://shop.example.com/ is taken by HTTPRoute shop/cart#rule-1 and
 * meets no AuthPolicy`.
 *
 * @param verdict The verdict with the counterexample.
 * @param example The counterexample.
 * @param options The readers, who decide which routes and policies are named. Of a request to another's route, only that is said.
 */
export function formatCounterexample(verdict: Verdict, example: Counterexample, options: FormatOptions = {}): string {
  const { route, isTaken, entry } = example.contender;
  const { isNamed = isNamedAlways } = options;
  const isOwn = isNamed(route.ref.namespace);
  const request = isOwn ? formatRequest(example) : 'a request';
  if (!isTaken) return `${request} is taken by no rule${isOwn ? ` at ${formatTarget(entry.node)}` : ''}`;
  const taker = isOwn ? formatTaker(example) : 'a route in another namespace';
  const missing = example.why === undefined ? '' : `; ${example.why}`;
  return `${request} is taken by ${taker} and meets ${formatMet(verdict, example, options)}${missing}`;
}

/**
 * Describes the doubts about whether a guarantee holds, in a sentence without a full stop for each fact, each error and each unknown.
 *
 * @param options The readers, who decide which routes and policies are named. Sentences that may be about objects of others are left out,
 * so the result can be empty.
 */
export function formatHidden(
  { hiddenBy, errors, notKnown }: Verdict,
  { isNamed }: FormatOptions = {},
): readonly string[] {
  const isOwn = ({ route, other, policies }: HiddenBy): boolean =>
    isNamed === undefined ||
    (policies === undefined && isNamed(route.ref.namespace) && isNamed((other ?? route).ref.namespace));
  return [
    ...hiddenBy.filter(isOwn).map(formatHiddenBy),
    ...errors.map((error) => `the expression fails: ${error}`),
    ...(isNamed === undefined ? notKnown : []),
  ];
}

function formatHiddenBy({ route, pointer, dependsOn, expression, other, policies }: HiddenBy): string {
  const name = formatTarget(route);
  if (dependsOn === 'concern') return `it is not known whether requests of ${name} meet ${policies?.join(' and ')}`;
  if (policies !== undefined) {
    const named = policies.join(', ');
    const why = dependsOn === 'own value' ? `${unknowns[dependsOn]}: ${named}` : `the ages of ${named} decide`;
    return `the policies of requests of ${name} are not known: ${why}`;
  }
  if (dependsOn === 'regular expression') return `${name} ${pointer} depends on the regular expression ${expression}`;
  if (other === undefined) return `whether ${name} takes requests is not known: ${unknowns[dependsOn]}`;
  return `whether ${name} or ${formatTarget(other)} takes a request is not known: ${unknowns[dependsOn]}`;
}

/** The unknowns, as the end of a sentence. */
const unknowns: Readonly<Record<Exclude<HiddenBy['dependsOn'], 'regular expression' | 'concern'>, string>> = {
  'adjacent slashes': 'the data plane may merge adjacent slashes of the path',
  'missing certificate':
    'a listener of its port may lack its certificate, and another one with the same hostname may take the requests then',
  'missing tls': 'a listener for HTTPS does not have tls, and the data plane may refuse that',
  'shared hostname': 'another route has a hostname in common with it, and the data plane may refuse one of them',
  'hostname precedence':
    'whether the more specific hostname of a route decides depends on the data plane, if both have the same in common with the listener',
  'listener isolation':
    'whether routes of its listener take requests for the more specific hostname of another listener depends on the data plane',
  'server name':
    'a client may name another host in its request than in the TLS connection, and the data plane may serve such requests',
  'misdirected request':
    'a client can name another host in its request than in the TLS connection, and the data plane serves such requests',
  age: 'the older one does, and their ages are not known',
  'own value': 'values that the route sets itself may prevail over policies',
  'precedence of kinds': 'the precedence of an HTTPRoute and a GRPCRoute with these matches depends on the data plane',
};
