// verify/: whether guarantees hold. Takes a topology, effective policies and compiled guarantees and returns verdicts. Facts are the values of an
// expression's variables: the effective policies that one request meets on one path.

import type { ContextLayer, EffectivePolicy } from '@policy-machinery/effective-policy';
import { describeRule } from '@policy-machinery/effective-policy/inner';
import { isJsonObject, type JsonObject, type JsonValue, specOf } from '@policy-machinery/resource';
import type { Path, TargetNode } from '@policy-machinery/topology';
import { labelsOf, namespaceLabelsOf } from '../model/selection.ts';
import { namesOf } from '../model/variables.ts';
import type { VerifiedKind } from '../model/verified-kind.ts';
import { type Contender, protocolOf } from '../requests/contender.ts';
import { type Concerns, concernFacts, decidingFacts } from './concerns.ts';
import { destinationsOf } from './destinations.ts';

/** The paths that an expression reads. */
export type Reads = readonly (readonly string[])[];

/** The effective policies that a request meets on one path, by the names of kinds. */
export type Met = ReadonlyMap<string, EffectivePolicy<unknown>>;

/** Returns the policy kinds that expressions read, by their names there. */
export function kindsRead(kinds: readonly VerifiedKind[], reads: Reads): ReadonlyMap<string, VerifiedKind> {
  const isAll = reads.some((read) => read[0] === 'policies' && read.length === 1);
  const named = new Set(reads.flatMap(([root, name]) => (root === 'policies' && name !== undefined ? [name] : [])));
  return new Map([...namesOf(kinds)].filter(([name]) => isAll || named.has(name)));
}

/** Returns the effective policies that a path meets, of some kinds. */
export function metOn(path: Path, kinds: ReadonlyMap<string, VerifiedKind>): Met {
  const met = new Map<string, EffectivePolicy<unknown>>();
  for (const [name, kind] of kinds) {
    const policy = kind.along(path).at(-1);
    if (policy !== undefined) met.set(name, policy);
  }
  return met;
}

/** The policies that a request meets on one path. */
export interface Meeting {
  readonly contender: Contender;
  readonly path: Path;
  /** The effective policies. */
  readonly met: Met;
  readonly concerns: Concerns;
}

/** The sources of the facts of a variable. */
const sources: Readonly<Record<string, (meeting: Meeting) => readonly unknown[]>> = {
  taken: ({ contender: { isTaken } }) => [isTaken],
  entry: ({ contender: { entry } }) => [entry.node],
  gateway: ({ contender: { entry } }) => [entry.node],
  listener: ({ contender: { listener } }) => [listener],
  route: ({ contender: { route } }) => [route],
  rule: ({ contender: { rule, match } }) => [rule, match.match.ruleIndex],
  backend: ({ contender, path }) => [backendOf(path, contender)],
  match: ({ contender: { match } }) => [match],
  policies: ({ met }) => [...met].flatMap(([name, { key }]) => [name, key]),
  concerns: ({ concerns }) => [JSON.stringify(concernFacts(concerns))],
  decidedBy: ({ concerns }) => [JSON.stringify(decidingFacts(concerns))],
  destinations: ({ contender }) => [destinationsOf(contender).join()],
};

/** Returns the sources of the facts that expressions read: requests with the same sources have the same facts. */
export function sourcesOf(meeting: Meeting, names: readonly string[]): readonly unknown[] {
  return names.flatMap((name) => sources[name]?.(meeting) ?? []);
}

/** Returns the values of all variables. Values that no expression reads are left out. */
export function factsOf({ contender, path, met, concerns }: Meeting, reads: Reads): JsonObject {
  const makers: Readonly<Record<string, () => JsonValue>> = {
    taken: () => contender.isTaken,
    entry: () => objectFacts(contender.entry.node),
    gateway: () => objectFacts(contender.entry.node),
    listener: () => listenerFacts(contender),
    route: () => placedFacts(contender.route),
    rule: () => ruleFacts(contender),
    backend: () => backendFacts(backendOf(path, contender)),
    match: () => matchFacts(contender),
    policies: () => policyFacts(met, reads),
    concerns: () => concernFacts(concerns),
    decidedBy: () => decidingFacts(concerns),
    destinations: () => destinationsOf(contender),
  };
  const read = new Set(reads.map(([name]) => name));
  const factsFor = (name: string, make: () => JsonValue) => (contender.isTaken || !ofRules.has(name) ? make() : {});
  return Object.fromEntries(
    Object.entries(makers).flatMap(([name, make]) => (read.has(name) ? [[name, factsFor(name, make)]] : [])),
  );
}

/** The variables without any fields for requests that no rule takes. */
const ofRules = new Set(['route', 'rule', 'match']);

/** Returns the last target of a path if it is below the route: the backend. */
export function backendOf(path: Path, { route, rule }: Contender): TargetNode | undefined {
  const last = path.at(-1);
  return last === undefined || last.object === route.object || last === rule ? undefined : last;
}

function objectFacts({ ref, resource }: TargetNode): JsonObject {
  return {
    kind: ref.kind,
    namespace: ref.namespace ?? '',
    name: ref.name,
    labels: labelsOf(resource),
    annotations: resource.metadata.annotations ?? {},
  };
}

function placedFacts(node: TargetNode): JsonObject {
  return { ...objectFacts(node), namespaceLabels: namespaceLabelsOf(node), spec: specOf(node.resource) };
}

function listenerFacts({ listener, entry }: Contender): JsonObject {
  const protocol = protocolOf(listener);
  return {
    name: listener.name,
    port: entry.port,
    protocol,
    hostname: listener.hostname ?? '',
    tls: protocol === 'HTTPS' || protocol === 'TLS',
  };
}

function ruleFacts({ rule, match }: Contender): JsonObject {
  const value = rule?.section?.value;
  const name = isJsonObject(value) && typeof value.name === 'string' ? value.name : '';
  return { name, index: match.match.ruleIndex, spec: value ?? {} };
}

function backendFacts(backend: TargetNode | undefined): JsonObject {
  if (backend === undefined) return { exists: false };
  const port = backend.section?.value.port;
  return { ...placedFacts(backend), exists: true, ...(port === undefined ? {} : { port }) };
}

function matchFacts({ match: { hostname, conditions } }: Contender): JsonObject {
  const path = conditions.find(({ field }) => field === 'path');
  const method = conditions.find(({ field }) => field === 'method');
  return { hostname, path: path?.value ?? '', pathType: path?.type ?? '', method: method?.value ?? '' };
}

function policyFacts(met: Met, reads: Reads): JsonObject {
  return Object.fromEntries(
    [...met].map(([name, policy]) => [name, metFacts(policy, (field) => isFieldRead(name, field, reads))]),
  );
}

function isFieldRead(kind: string, field: string, reads: Reads): boolean {
  return reads.some(([root, name = kind, read = field]) => root === 'policies' && name === kind && read === field);
}

function metFacts(policy: EffectivePolicy<unknown>, isRead: (field: string) => boolean): JsonObject {
  return {
    ...(isRead('spec') ? { spec: policy.spec as JsonObject } : {}),
    ...(isRead('origins') ? { origins: originFacts(policy) } : {}),
    ...(isRead('lost') ? { lost: lossFacts(policy) } : {}),
  };
}

function originFacts({ origins }: EffectivePolicy<unknown>): readonly JsonObject[] {
  return origins.flatMap(({ pointer, by }) =>
    by.map((layer) => ({ ...setterFacts(pointer, layer), target: targetFacts(layer.level.target) })),
  );
}

function setterFacts(
  pointer: string,
  { policy: { resource }, stanza }: Pick<ContextLayer<unknown>, 'policy' | 'stanza'>,
): JsonObject {
  return { pointer, ...nameFacts(resource.metadata), labels: labelsOf(resource), stanza };
}

function targetFacts({ ref: { kind, namespace = '', name, section = '' } }: TargetNode): JsonObject {
  return { kind, namespace, name, section };
}

function lossFacts({ losses }: EffectivePolicy<unknown>): readonly JsonObject[] {
  return losses.map((loss) => ({
    ...setterFacts(loss.pointer, loss.layer),
    rule: describeRule(loss.rule),
    to: loss.winners.map(({ policy }) => nameFacts(policy.resource.metadata)),
  }));
}

function nameFacts({ namespace = '', name }: { readonly namespace?: string; readonly name: string }): JsonObject {
  return { namespace, name };
}
