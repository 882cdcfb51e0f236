import type { ConcernField, ConcernName } from '@policy-machinery/policy-kind';
import { concernNames } from '@policy-machinery/policy-kind';
import {
  type GroupKind,
  type JsonObject,
  type KubernetesObject,
  objectIn,
  objectsIn,
  specOf,
} from '@policy-machinery/resource';
import { formatTarget, type TargetNode } from '@policy-machinery/topology';
import type { Author, Evidence } from './author.ts';
import type { Holds } from './conditions.ts';
import type { CoverageInput } from './facts.ts';
import { fieldStates } from './field-states.ts';

type OwnInput = Pick<CoverageInput, 'factsOf' | 'find' | 'mayServe'> & {
  readonly holds: Holds;
  /** Returns whether objects of a kind are policies that routes can name, which the topology attaches. */
  readonly isPolicy: (kind: GroupKind) => boolean;
};

/** Returns the effect of a listener on each concern: TLS, and the client certificates that its Gateway asks for at its port. */
export function listenerEvidence(listener: TargetNode, { factsOf, holds }: OwnInput): readonly Evidence[] {
  const { object } = listener;
  const value = listener.section?.value ?? {};
  const { tls } = specOf(object.resource);
  const { default: general, perPort } = objectIn(objectIn(tls).frontend);
  const ofPort = objectsIn(perPort).filter(({ port }) => port === value.port);
  const frontend = ofPort.length > 0 ? { perPort: ofPort } : { default: general ?? {} };
  const spec = objectIn({ ...specOf(object.resource), listeners: [value], tls: { ...objectIn(tls), frontend } });
  const author = { ...authorAt(listener.object), target: listener };
  return statesOf(factsOf(object.ref)?.fields ?? [], spec, holds, author).map((evidence) => {
    const because = `the protocol of ${formatTarget(listener)} is ${value.protocol}`;
    return evidence.state === 'void' ? { ...evidence, because } : evidence;
  });
}

/** Returns the effects of the fields and filters of a rule on each concern. */
export function ruleEvidence(rule: TargetNode, input: OwnInput): readonly Evidence[] {
  const value = rule.section?.value ?? {};
  const filters = objectsIn(value.filters);
  const { backendRefs: _backends, matches: _matches, ...own } = value;
  const isPlain = Object.keys(own).every((field) => field === 'name');
  const hasOfBackends = objectsIn(value.backendRefs).some((backend) => backend.filters !== undefined);
  if (isPlain && !hasOfBackends) return [];
  const spec = objectIn({ ...specOf(rule.resource), rules: [value] });
  const author = { ...authorAt(rule.object), target: rule };
  return [
    ...statesOf(input.factsOf(rule.object.ref)?.fields ?? [], spec, input.holds, author),
    ...filters.flatMap(({ extensionRef }) => filterEvidence(objectIn(extensionRef), rule, input)),
  ];
}

/** Returns the effects of a filter that is an object of another kind; its possible effects, if it is not read. */
function filterEvidence(reference: JsonObject, rule: TargetNode, input: OwnInput): readonly Evidence[] {
  const ref = refIn(reference, rule);
  if (ref === undefined || input.isPolicy(ref)) return [];
  const { group, kind, namespace, name } = ref;
  const author: Author = { kind, name: `${namespace}/${name}`, locator: rule.locator, target: rule, pointer: '' };
  const facts = input.factsOf({ group, kind });
  const object = input.find(ref);
  if (facts !== undefined && object !== undefined) return statesOf(facts.fields, specOf(object), input.holds, author);
  const because = facts === undefined ? `the filter ${kind} is not read` : `the filter ${kind} is not in the input`;
  const served = facts?.fields.map(({ concern }) => concern) ?? input.mayServe?.({ group, kind }) ?? concernNames;
  return unknownEvidence(served, author, because);
}

/** Returns that the effects of an author on some concerns are not known. */
export function unknownEvidence(
  concerns: readonly ConcernName[],
  author: Author,
  because: string,
): readonly Evidence[] {
  return [...new Set(concerns)].map((concern) => ({ concern, state: 'unknown', strength: 'unknown', author, because }));
}

function statesOf(
  fields: readonly ConcernField[],
  spec: JsonObject,
  holds: Holds,
  author: Author,
): readonly Evidence[] {
  return [...fieldStates(fields, spec, holds)].map(([concern, state]) => {
    const evidence = { concern, ...state, author: { ...author, pointer: state.pointer } };
    return state.state === 'off' ? { ...evidence, state: 'void' } : evidence;
  });
}

/** Returns an object of the topology as an author. */
export function authorAt(target: TargetNode): Author {
  const { locator, resource, ref } = target;
  return { kind: ref.kind, name: nameOf(resource), locator, target, pointer: '' };
}

function nameOf({ metadata: { namespace, name } }: KubernetesObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** Returns whether a rule answers by itself, so that its requests reach no backend: by a redirect, or by a fixed answer. */
export function answersItself(rule: TargetNode | undefined, { find }: Pick<CoverageInput, 'find'>): boolean {
  return objectsIn(rule?.section?.value.filters).some(({ requestRedirect, extensionRef }) => {
    if (requestRedirect !== undefined) return true;
    const ref = refIn(objectIn(extensionRef), rule);
    const filter = ref?.kind === 'HTTPRouteFilter' ? find(ref) : undefined;
    return filter !== undefined && 'directResponse' in specOf(filter);
  });
}

/** Returns the object that a filter of a rule names, in the namespace of the route. */
function refIn({ group, kind, name }: JsonObject, rule: TargetNode | undefined) {
  if (typeof group !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return undefined;
  return { group, kind, namespace: rule?.ref.namespace ?? '', name };
}
