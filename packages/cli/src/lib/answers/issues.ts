import { Pod } from '@policy-machinery/gateway-api';
import { groupKindKey, groupOf, locatorOf, namespaceOf, parseLocator } from '@policy-machinery/resource';
import type { Reference, Topology } from '@policy-machinery/topology';
import { replacedProtection } from '../covering/replaced.ts';
import { hasGrounds } from '../input/gitops/grounds.ts';
import { unrenderedText } from '../input/gitops/unrendered.ts';
import type { Finding } from '../model/answer.ts';
import type { Unrendered } from '../model/unrendered.ts';
import type { PolicyView, Scope, World } from '../model/world.ts';
import { differingStatuses, listenerConflicts, notProgrammedTargets, policyFindings } from './findings-about.ts';
import { isInScope } from './in-scope.ts';
import { uncheckedFindings } from './unchecked.ts';
import { unconsideredIn, unconsideredText } from './unconsidered.ts';
import { hasNoWorkloads } from './workloads.ts';

/**
 * Returns everything that is wrong in a world, or worth knowing: faults of the input, targets and references that do not exist, policies
 * that cannot be read, and policies without effect.
 *
 * @param replaced The findings about policies that replace the protection of others. Default: they are found.
 * @returns The findings, by file and line, then by resource.
 */
export function findingsIn(world: World, replaced = replacedProtection(world)): readonly Finding[] {
  return arranged(world, [...findingsAbout(world), ...replaced]);
}

/** Returns the findings of a world about policies, targets and references, in no order. */
export function findingsAbout(world: World): readonly Finding[] {
  const targets = world.topologies.flatMap((topology) => [...topology.targets]);
  const objects = [...world.topology.targets].filter(({ section }) => section === undefined);
  return [
    ...world.views.flatMap(viewFindings),
    ...danglingReferences(world),
    ...policyFindings(world).map(([, finding]) => finding),
    ...listenerConflicts(world.topology),
    ...notProgrammedTargets(world, targets),
    ...differingStatuses(world.topology, objects),
  ];
}

/**
 * Returns the findings of a world in their order, each once.
 *
 * @param about The findings about policies, targets and references. Those about the input are added.
 * @param locate Returns a finding with its position in a file. Default: as the world says.
 */
export function arranged(
  world: World,
  about: readonly Finding[],
  locate: (finding: Finding) => Finding = (finding) => located(world, finding),
): readonly Finding[] {
  const { topologies, scope } = world;
  const found: readonly Finding[] = [
    ...unrenderedFindings(world.unrendered),
    ...unconsideredFindings(world),
    ...uncheckedFindings(world),
    ...world.inputIssues,
    ...topologies.flatMap((topology) => topology.issues.map((issue) => withAssumedWorkloads(world, topology, issue))),
    ...assumedParents(world),
    ...about,
  ];
  const grounded = found.filter((finding) => isIn(scope, finding) && hasGrounds(world, finding)).map(locate);
  return first([...withoutRepeats(grounded)].sort(byPlace));
}

/** Returns a finding as a note if it is about a selector of Pods in a namespace without workloads: charts create these, as they create Gateways. */
function withAssumedWorkloads(world: World, topology: Topology, finding: Finding): Finding {
  const { code, resource, pointer } = finding;
  if (code !== 'not-in-input' || resource === undefined) return finding;
  const policy = topology.policy(resource);
  const isOfPods = policy?.attachments.some(({ declared }) => {
    return declared.pointer === pointer && 'kind' in declared && declared.kind === Pod.kind;
  });
  if (policy === undefined || !isOfPods || !hasNoWorkloads(world, namespaceOf(policy.resource))) return finding;
  return { ...finding, severity: 'note' };
}

/** Returns a finding with its position in a file, if there is one. */
export function located({ locate }: World, finding: Finding): Finding {
  const { position } = locate({ ...finding, severity: 'error' });
  return position === undefined ? finding : { ...finding, position };
}

/** Reports unrendered input once, so that silence about it is not taken for a verdict. */
function unrenderedFindings(unrendered: Unrendered): readonly Finding[] {
  const message = unrenderedText(unrendered);
  return message === '' ? [] : [{ code: 'not-rendered', severity: 'note', message }];
}

/** Says once for each kind which objects route requests without being considered, so that silence about these is not taken for a verdict. */
function unconsideredFindings(world: World): readonly Finding[] {
  const routing = unconsideredIn(world).filter(({ effect }) => effect === 'routes');
  return routing.map((it) => ({ code: 'not-considered', severity: 'note', message: unconsideredText(it) }));
}

/** The most findings in one answer. No one reads more, and a hostile file must not fill a log. */
const maxFindings = 1000;

/** Returns the first findings, and one with the count of the rest, as severe as the worst of these. */
function first(findings: readonly Finding[]): readonly Finding[] {
  const rest = findings.slice(maxFindings);
  if (rest.length === 0) return findings;
  const severity = (['error', 'warning', 'note'] as const).find((it) =>
    rest.some((finding) => finding.severity === it),
  );
  const message = `${rest.length} more findings are left out; correct these first`;
  return [...findings.slice(0, maxFindings), { code: 'more-findings', severity: severity ?? 'note', message }];
}

/** Returns the issues of the policies of a kind, but for those that are usual in files: these lack creation times, which the API server sets. */
export function viewFindings({ effective }: PolicyView): readonly Finding[] {
  return effective.issues.filter(({ code }) => code !== 'missing-creation-timestamp');
}

/** The pointer of references that no field declares: from a Namespace to its workloads, and from a Gateway to the Pods that run it. */
const ownName = '/metadata/name';

/**
 * Returns the references to resources that do not exist, or that are not in the input. A kind without any object is taken to be missing from the
 * input, and left out.
 *
 * @param kinds The kinds of its objects, by key.
 */
export function danglingReferences(world: World, kinds = kindsIn(world)): readonly Finding[] {
  return world.topologies.flatMap((topology) => [
    ...topology.unresolved
      .filter(({ missing }) => kinds.has(missing.slice(0, missing.indexOf(':'))))
      .filter(({ reference: { pointer } }) => pointer !== ownName)
      .filter(({ from, missing }) =>
        hasGrounds(world, { code: 'unresolved-reference', resource: from.object.locator, missing }),
      )
      .map(({ from, missing, isUndecided, reference: { pointer } }): Finding => {
        const place = { resource: from.object.locator, pointer };
        if (isUndecided) return notInInput(nameOfMissing(missing, topology), place);
        const message = `refers to ${whatIsMissing(missing, topology)}; create it or correct the reference`;
        return { code: 'unresolved-reference', severity: 'warning', message, ...place };
      }),
    ...undecidedRefusals(topology),
  ]);
}

/**
 * Returns the references that all targets refuse, for lack of something that is not in the input: a grant, or a Namespace with its labels. Of several
 * refusals of a reference, the first one is told.
 */
function undecidedRefusals(topology: Topology): readonly Finding[] {
  const told = new Set<Reference>();
  return topology.refused.flatMap(({ from, to, message: why, isUndecided, reference }) => {
    if (!isUndecided || told.has(reference)) return [];
    told.add(reference);
    const { pointer } = reference;
    const leads = topology.referencesOf(from).some((it) => it.reference.pointer === pointer && it.ends.length > 0);
    if (leads) return [];
    const message = `refers to ${nameOfMissing(to, topology)}, and ${why} in this input; add the object that permits it, or correct the reference`;
    return [{ code: 'not-in-input', severity: 'note', message, resource: from.object.locator, pointer } as const];
  });
}

/** Returns the finding about a reference to something that is not in the input. */
function notInInput(name: string, place: Pick<Finding, 'resource' | 'pointer'>): Finding {
  const message = `refers to ${name}, which is not in this input; add it, or correct the reference`;
  return { code: 'not-in-input', severity: 'note', message, ...place };
}

/** Returns the keys of the kinds with objects in a world. */
export function kindsIn({ objects }: World): ReadonlySet<string> {
  const seen = new Map<string, Set<string>>();
  for (const { apiVersion, kind } of objects) {
    const there = seen.get(apiVersion);
    if (there === undefined) seen.set(apiVersion, new Set([kind]));
    else there.add(kind);
  }
  return new Set([...seen].flatMap(([version, kinds]) => [...kinds].map((kind) => keyOf(version, kind))));
}

function keyOf(apiVersion: string, kind: string): string {
  return groupKindKey({ group: groupOf(apiVersion), kind });
}

/** Returns the references of routes to Gateways that are not in the input. Their policies count as if the Gateway accepted them. */
function assumedParents(world: World): readonly Finding[] {
  return world.assumed.flatMap(({ object, refs }) => {
    const missing = locatorOf(object, 'Namespaced');
    return refs
      .filter(({ resource }) => hasGrounds(world, { code: 'unresolved-reference', resource, missing }))
      .map((place) => notInInput(nameOfMissing(missing, world.topology), place));
  });
}

/** Reports the objects that are certainly missing. */
function whatIsMissing(missing: string, topology: Topology): string {
  const name = nameOfMissing(missing, topology);
  if (missing.endsWith(':?')) return `${name}, and none exist`;
  return missing.endsWith('#?') ? `${name} that is not there` : `${name}, which does not exist`;
}

/** Returns the name of a missing resource as people write it, with the kind in its own spelling. */
function nameOfMissing(missing: string, topology: Topology): string {
  const key = missing.slice(0, missing.indexOf(':'));
  const targetKind = [...topology.targetKinds].find((each) => groupKindKey(each) === key);
  const kind = targetKind?.kind ?? key;
  const [sort = 'section', ...otherSorts] = Object.keys(targetKind?.sections ?? {});
  const name = missing.slice(key.length + 1);
  if (name === '?') return `objects of ${kind} by labels`;
  return name.endsWith('#?')
    ? `a ${otherSorts.length === 0 ? sort : 'section'} of ${kind} ${name.slice(0, -2)}`
    : `${kind} ${name}`;
}

function isIn(scope: Scope, { resource }: Finding): boolean {
  return resource === undefined || isInScope(scope, parseLocator(resource).namespace);
}

/**
 * Returns findings without duplicates: of several with the same message for the same place, the first. A field that all releases drop is not reported
 * as one that the shipped release does not have, and a target that the system does not support is not reported again as refused by a schema.
 */
function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Map<string, Finding>();
  for (const finding of findings) {
    const { code, resource, pointer, message, position } = finding;
    const key = JSON.stringify([code, resource, pointer, message, position?.source, position?.line]);
    if (!seen.has(key)) seen.set(key, finding);
  }
  const placeOf = ({ resource, pointer }: Finding): string => `${resource} ${pointer}`;
  const all = [...seen.values()];
  const dropped = new Set(all.filter(({ code }) => code === 'dropped-field').map(placeOf));
  const refused = new Set(all.filter(({ code }) => code === 'unsupported-target').map(({ resource }) => resource));
  return all.filter((finding) => {
    const { code, resource } = finding;
    if (code === 'field-not-in-release') return !dropped.has(placeOf(finding));
    return code !== 'invalid-spec' || !refused.has(resource) || !isAboutTargets(finding);
  });
}

/** Returns whether a schema refuses the targets of a policy: by their place, or by a rule on the whole spec that names them. */
function isAboutTargets({ pointer = '', message }: Finding): boolean {
  return /^\/spec\/target(?:Refs?|Selectors)/.test(pointer) || /\btarget(?:Refs?|Selectors)\b/.test(message);
}

function byPlace(a: Finding, b: Finding): number {
  const [from, to] = [a.position, b.position];
  return (
    compare(from?.source ?? '', to?.source ?? '') ||
    (from?.line ?? 0) - (to?.line ?? 0) ||
    compare(a.resource ?? '', b.resource ?? '') ||
    compare(a.pointer ?? '', b.pointer ?? '')
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
