import { type GroupKind, groupKindKey, namespaceOf, parseLocator, type ResourceRef } from '@policy-machinery/resource';
import { groupedBy, namespaceNameLabel } from '@policy-machinery/resource/inner';
import { formatTarget, isSectionKind, type TargetNode, type Topology } from '@policy-machinery/topology';
import type { CompiledGuarantee } from '../model/compile.ts';
import type { ObjectSelector } from '../model/guarantee.ts';
import { objectTest, selectionOf } from '../model/selection.ts';
import { isEntryNode } from '../requests/entries.ts';
import { lacksNamespace } from './possible-attachments.ts';

const gatewayKind = { group: 'gateway.networking.k8s.io', kind: 'Gateway' };
const namespaceKind = { group: '', kind: 'Namespace' };

/** The objects with namespaces that a selector or an expression may ask about, and the variables that stand for them. */
const sorts = [
  { sort: 'gateways', variables: ['gateway', 'entry'], isOfSort: isEntryNode },
  { sort: 'routes', variables: ['route'], isOfSort: ({ ref }: TargetNode) => ref.kind.endsWith('Route') },
  {
    sort: 'backends',
    variables: ['backend'],
    isOfSort: (node: TargetNode) =>
      [node, ...node.sections].some(({ linksFrom }) => linksFrom.some(({ ref }) => ref.kind.endsWith('Route'))),
  },
] as const;

/**
 * Returns the objects with an unknown namespace, or unknown labels of it, that a guarantee asks about: each with a sentence without a full stop.
 * Only objects count that requests of the guarantee may have a part in. O(targets, and references without a link) for guarantees that ask about
 * namespaces.
 */
export function namespacesNotGiven(compiled: CompiledGuarantee, topology: Topology): ReadonlyMap<TargetNode, string> {
  const missing = new Map<TargetNode, string>();
  const mayMean = partTest(compiled, topology);
  for (const { sort, variables, isOfSort } of sorts) {
    const asked = askedAbout(sort, variables, compiled);
    if (asked === 'nothing') continue;
    for (const node of topology.targets) {
      const { section, ref, namespace } = node;
      if (section !== undefined || ref.namespace === undefined || !isOfSort(node)) continue;
      const isUnnamed = lacksNamespace(node);
      const isUnlabelled =
        asked === 'labels' && !namespace && !topology.isComplete(namespaceKind, undefined, ref.namespace);
      if (!(isUnnamed || isUnlabelled) || !mayMean(sort, node)) continue;
      const unlabelled = `the labels of namespace ${ref.namespace} are not in this input`;
      missing.set(node, isUnnamed ? `${formatTarget(node)} ${unnamedText}` : unlabelled);
    }
  }
  return missing;
}

/** A policy that a rule names and that is not in the input. */
export interface PolicyNotGiven {
  readonly rule: TargetNode;
  readonly policy: ResourceRef;
}

/**
 * Returns the policies of some kinds that rules name, as with ExtensionRef filters, and that are not in the topology, although they may exist.
 * O(rules), without kinds O(1).
 */
export function namedPoliciesNotGiven(topology: Topology, kinds: readonly GroupKind[]): readonly PolicyNotGiven[] {
  if (kinds.every((kind) => topology.isComplete(kind))) return [];
  const asked = new Set(kinds.map(groupKindKey));
  const others = [...topology.policyKinds].filter(({ extensionRefs }) => extensionRefs !== true);
  for (const kind of others) asked.delete(groupKindKey(kind));
  return [...topology.targets].flatMap((rule) => {
    const { kind, section, object, resource } = rule;
    if (section === undefined || !isSectionKind(kind)) return [];
    const named = [...kind.policyRefs({ index: object.sections.indexOf(rule), value: section.value }, resource)];
    return named.flatMap(({ group, kind: of, name }) => {
      const policy = { group, kind: of, name, namespace: namespaceOf(resource) };
      const isGiven = topology.policy(policy) !== undefined || topology.isComplete(policy, policy.namespace, name);
      return asked.has(groupKindKey(policy)) && !isGiven ? [{ rule, policy }] : [];
    });
  });
}

/** Returns a test whether an object, in whatever namespace, may be a part of a guarantee's requests. Compared requests may have any part. */
function partTest({ guarantee: { requests = {} }, isCompared }: CompiledGuarantee, topology: Topology) {
  const { gateways, routes, backends, hostnames = ['*'] } = requests;
  const { mayMean } = selectionOf({ gateways: unplaced(gateways), routes: unplaced(routes), hostnames });
  let gatewaysOf: ReturnType<typeof gatewaysFinder> | undefined; // Usually nothing is missing.
  const isRoute = (route: TargetNode): boolean => {
    gatewaysOf ??= gatewaysFinder(topology);
    return gatewaysOf(route).some((gateway) => mayMean(route, gateway));
  };
  const isBelowRoute = ({ linksFrom }: TargetNode) => linksFrom.some(({ object }) => isRoute(object));
  return (sort: (typeof sorts)[number]['sort'], node: TargetNode): boolean => {
    if (isCompared) return true;
    if (sort === 'routes') return isRoute(node);
    const isSelected = objectTest(unplaced(sort === 'gateways' ? gateways : backends))?.(node) !== false;
    return isSelected && (sort === 'gateways' || [node, ...node.sections].some(isBelowRoute));
  };
}

/** Returns a selector of the same objects in all namespaces. */
function unplaced({
  namespaces: _namespaces,
  namespaceLabels: _labels,
  ...others
}: ObjectSelector = {}): ObjectSelector {
  return others;
}

/**
 * Returns a function that returns the Gateways that a route is below, or may be; `undefined` stands for any: a parent of another kind can be below any.
 * O(references without a link) once, and O(parents) for each route.
 */
function gatewaysFinder({
  unresolved,
  refused,
}: Topology): (route: TargetNode) => readonly (ResourceRef | undefined)[] {
  const references = [...unresolved.map(({ missing, ...it }) => ({ ...it, to: missing })), ...refused];
  const [up, down] = (['up', 'down'] as const).map((way) => references.filter((it) => it.reference.direction === way));
  const named = groupedBy(up ?? [], ({ from }) => from.object);
  const delegatedKinds = new Set((down ?? []).map(({ reference }) => reference.to.kind));
  return (route) => {
    const parents = [route, ...route.sections].flatMap(({ linksFrom }) => linksFrom.map(({ object }) => object.ref));
    const others = (named.get(route) ?? []).map(({ reference, to }) => ({
      ...parseLocator(to),
      kind: reference.to.kind,
    }));
    const all = [...parents, ...others];
    const isElsewhere = ({ kind, name }: ResourceRef) => kind !== gatewayKind.kind || name === '?';
    return all.length === 0 || delegatedKinds.has(route.ref.kind) || all.some(isElsewhere) ? [undefined] : all;
  };
}

/** Says that files leave the namespace of an object to those who apply it. */
export const unnamedText = 'does not name its namespace';

/** Returns what a guarantee asks about the namespaces of objects: their names, or other labels, too. */
function askedAbout(
  sort: (typeof sorts)[number]['sort'],
  variables: readonly string[],
  { guarantee, reads }: CompiledGuarantee,
): 'nothing' | 'name' | 'labels' {
  const { requests, except = [], other } = guarantee;
  const selectors = [requests ?? {}, ...except].flatMap((it) => it[sort] ?? []);
  if (sort === 'gateways') selectors.push(other?.gateways ?? {});
  const labels = selectors.flatMap(({ namespaceLabels: { matchLabels = {}, matchExpressions = [] } = {} }) => [
    ...Object.keys(matchLabels),
    ...matchExpressions.map(({ key }) => key),
  ]);
  const read = reads.filter(([variable = '']) => variables.includes(variable));
  for (const [, field = 'namespaceLabels', key = ''] of read) {
    if (field === 'namespaceLabels') labels.push(key);
    if (field === 'namespace') labels.push(namespaceNameLabel);
  }
  if (labels.some((label) => label !== namespaceNameLabel)) return 'labels';
  return labels.length > 0 || selectors.some(({ namespaces }) => namespaces) ? 'name' : 'nothing';
}

/**
 * Returns why a guarantee about no requests may be about some, in sentences without a full stop: a topology that is not given all Gateways has none that
 * it is about.
 */
export function gatewaysNotGiven({ guarantee }: CompiledGuarantee, topology: Topology): readonly string[] {
  if (topology.isComplete(gatewayKind)) return [];
  const selector: ObjectSelector = guarantee.requests?.gateways ?? {};
  const isMeant = objectTest(selector) ?? (() => true);
  for (const node of topology.targetsOf([gatewayKind])) if (node.section === undefined && isMeant(node)) return [];
  return ['no Gateway that the guarantee is about is in this input'];
}
