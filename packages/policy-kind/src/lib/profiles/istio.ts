import {
  groupKindOf,
  type Issue,
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  namespaceOf,
  objectsIn,
  specOf,
} from '@policy-machinery/resource';
import type { Complete } from '@policy-machinery/resource/inner';
import { type DeclaredTarget, type DeclaredTargetSelector, readTargetRefs } from '@policy-machinery/target-ref';
import type { UndecidedRefusal } from '@policy-machinery/topology';
import type { TargetReader, TargetReading } from '../policies/read-targets.ts';
import type { Profile } from './profiles.ts';

/** Options for policy kinds of Istio. */
export interface IstioOptions {
  /** Policies in this namespace are for the whole mesh. Default `istio-system`. */
  readonly rootNamespace?: string | undefined;
  /**
   * The scope of a selector in the root namespace: workloads of all namespaces, as for AuthorizationPolicy and RequestAuthentication, or
   * nothing, as for Telemetry and PeerAuthentication. Default `all`.
   */
  readonly rootSelectors?: 'all' | 'nothing' | undefined;
  /** The field of the selector: `selector`, with `matchLabels`, or EnvoyFilter's `workloadSelector`, with `labels`. Default `selector`. */
  readonly selectorField?: 'selector' | 'workloadSelector' | undefined;
}

/**
 * Returns the profile of Istio's policies, for the target kinds of `istioMesh`: how they find their targets. A policy names targets,
 * or selects workloads by label, or is for its whole namespace, and in the root namespace for the mesh. How policies meet differs from kind
 * to kind: add `stanzas`.
 *
 * @param options Options that differ between meshes and policy kinds.
 * @returns The profile.
 * @example
 * ```ts
 * definePolicyKind({
 *   ...istio({ rootNamespace: 'istio-config' }),
 *   stanzas: additiveSpec({ by: 'action', groups: ['CUSTOM', 'DENY', 'AUDIT', 'ALLOW'], otherwise: 'ALLOW', targetFields: ['selector'] }),
 *   group: 'security.example.com',
 *   version: 'v1',
 *   kind: 'AccessPolicy',
 *   targets: istioMesh(),
 *   spec: z.object({ rules: z.array(z.unknown()) }).partial(),
 * });
 * ```
 */
export function istio(options: IstioOptions = {}) {
  const { rootNamespace = 'istio-system', rootSelectors = 'all', selectorField = 'selector' } = options;
  const readTargets: TargetReader = (policy) =>
    readIstioTargets(policy, { rootNamespace, rootSelectors, selectorField });
  return {
    readTargets,
    /** Whether a selector selects a Pod: none that runs a waypoint. */
    selects: isNoWaypoint,
    /** Why a policy that does not name its namespace may not affect a target: it may be in another one. */
    refuses: (target, _find, _section, policy) => unplacedRefusal(target, policy, rootNamespace),
    crossNamespace: 'allow',
    namespaceLevels: [],
  } satisfies Profile;
}
/** @hidden */
istio.uncalled = 'istio' as const;

const labelFields = { selector: 'matchLabels', workloadSelector: 'labels' } as const;
const group = 'gateway.networking.k8s.io';
const waypointClass = 'istio-waypoint';
/** Gateways between clusters have listeners of the mesh, as waypoints do. */
const eastWestClass = 'istio-east-west';
const gatewayNameLabel = 'gateway.networking.k8s.io/gateway-name';

/** The controller of waypoints, in their GatewayClass, and in the label of their Pods. */
const waypointController = 'istio.io/mesh-controller';
const managedLabel = 'gateway.istio.io/managed';

/** Returns whether a Pod runs no waypoint: Istio ignores policies with a selector there. */
const isNoWaypoint: NonNullable<Profile['selects']> = (pod, find) => {
  const { [gatewayNameLabel]: name, [managedLabel]: managed } = pod.metadata.labels ?? {};
  if (managed === waypointController.replace('/', '-')) return false;
  if (name === undefined) return true;
  const gateway = find({ group, kind: 'Gateway', namespace: namespaceOf(pod), name });
  const { gatewayClassName, listeners } = gateway === undefined ? {} : specOf(gateway);
  if (typeof gatewayClassName !== 'string' || gatewayClassName === eastWestClass) return true;
  if (gatewayClassName === waypointClass || objectsIn(listeners).some(({ protocol }) => protocol === 'HBONE'))
    return false;
  const gatewayClass = find({ group, kind: 'GatewayClass', name: gatewayClassName });
  return gatewayClass === undefined || specOf(gatewayClass).controllerName !== waypointController;
};

function readIstioTargets(
  policy: KubernetesObject,
  { rootNamespace, rootSelectors, selectorField }: Complete<IstioOptions>,
): TargetReading {
  const { targetRef, targetRefs, [selectorField]: selector } = specOf(policy);
  const pointer = `/spec/${selectorField}`;
  const isRoot = namespaceOf(policy) === rootNamespace;
  const labels = isJsonObject(selector) ? selector[labelFields[selectorField]] : undefined;
  const hasLabels = isJsonObject(labels) && Object.keys(labels).length > 0;
  const isNamed = isJsonObject(targetRef) || (Array.isArray(targetRefs) && targetRefs.length > 0);
  if (isNamed) {
    if (hasLabels) return refused('a policy has targetRefs or a selector, not both; keep one', pointer);
    return namedTargets(policy, isRoot || policy.metadata.namespace === undefined);
  }
  if (!isJsonObject(labels) || !hasLabels) return { refs: [wholeOf(policy, isRoot)] };
  if (isRoot && rootSelectors === 'nothing') {
    return refused(
      'a selector selects nothing in the root namespace; move the policy, or remove the selector',
      pointer,
    );
  }
  return { selectors: [podsWith(labels, isRoot, pointer)] };
}

function refused(message: string, pointer: string): TargetReading {
  return { issues: [{ code: 'invalid-target-ref', severity: 'error', message, pointer }] };
}

/** Returns the targets that a policy names: its own namespace's, and in the root namespace the class of waypoints. */
function namedTargets(policy: KubernetesObject, isRoot: boolean): TargetReading {
  const { refs, issues } = readTargetRefs(policy, {
    defaultGroup: '',
    coreGroupSpellings: ['core'],
    isClusterScoped: isGatewayClass,
    repeatedTargets: 'allow',
  });
  const faults = refs.flatMap((ref): readonly Issue[] => {
    const message = faultOf(ref, policy.metadata.namespace, isRoot);
    return message === undefined
      ? []
      : [{ code: 'invalid-target-ref', severity: 'error', message, pointer: ref.pointer }];
  });
  const invalid = new Set(faults.map(({ pointer }) => pointer));
  const valid = refs.filter(({ pointer }) => !invalid.has(pointer));
  const allIssues = [...issues, ...faults];
  // An invalid reference leaves the valid ones beside it in force.
  return {
    refs: valid,
    issues: valid.length === 0 ? allIssues : allIssues.map((issue) => ({ ...issue, severity: 'warning' })),
  };
}

function unplacedRefusal(
  target: KubernetesObject,
  policy: KubernetesObject,
  rootNamespace: string,
): UndecidedRefusal | undefined {
  if (policy.metadata.namespace !== undefined) return undefined;
  const isClass = isGatewayClass(groupKindOf(target));
  if (!isClass && namespaceOf(target) === namespaceOf(policy)) return undefined;
  const place = isClass ? `only policies in ${rootNamespace} count` : 'only policies in its namespace count';
  return {
    undecided: `where ${place}, and the file of the policy does not name one`,
    remedy: 'set metadata.namespace',
  };
}

function faultOf(ref: DeclaredTarget, ownNamespace: string | undefined, isRoot: boolean): string | undefined {
  if (ref.sectionName !== undefined) return 'Istio does not support sections of targets; remove sectionName';
  if (isGatewayClass(ref)) {
    if (!isRoot) return 'a GatewayClass is for policies of the root namespace only; name a Gateway';
    return ref.name === waypointClass
      ? undefined
      : `policies apply to the GatewayClass ${waypointClass} only; name that`;
  }
  const isElsewhere = ownNamespace !== undefined && ref.namespace !== undefined && ref.namespace !== ownNamespace;
  return isElsewhere
    ? `names a target in ${ref.namespace}, and policies reach their own namespace only; move the policy`
    : undefined;
}

function isGatewayClass({ group: of, kind }: Pick<DeclaredTarget, 'group' | 'kind'>): boolean {
  return of === group && kind === 'GatewayClass';
}

/** Returns the target of a policy that names and selects none. */
function wholeOf(policy: KubernetesObject, isRoot: boolean): DeclaredTarget {
  const name = namespaceOf(policy);
  const pointer = '/metadata/namespace';
  return isRoot
    ? { group: 'mesh.policy-machinery', kind: 'Mesh', name, pointer }
    : { group: '', kind: 'Namespace', name, pointer };
}

/** Returns the selector of workloads. Labels that are not text make the selector invalid. */
function podsWith(labels: JsonObject, isRoot: boolean, pointer: string): DeclaredTargetSelector {
  return {
    group: '',
    kind: 'Pod',
    matchLabels: labels as Record<string, string>,
    namespaces: { from: isRoot ? 'All' : 'Same' },
    pointer,
  };
}
