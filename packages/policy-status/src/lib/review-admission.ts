import {
  groupKindKey,
  groupKindOf,
  type KubernetesObject,
  locatorOf,
  printable,
  refOf,
  type Scope,
} from '@policy-machinery/resource';
import { reportPolicies } from './policy-report.ts';
import { topologyOf, type Views, viewsIn } from './views.ts';

/** What an admission webhook may answer. */
export interface AdmissionReview {
  /**
   * What the owner of the object should know: which policies affect it; of a policy, who overrides it. At most 256
   * characters each, as Kubernetes advises.
   */
  readonly warnings: readonly string[];
  /** Why a policy could be refused: it would be in conflict with another. Empty for anything else. */
  readonly conflicts: readonly string[];
}

/**
 * Says what applying an object would mean, for a validating admission webhook. The topology stays as it is.
 *
 * Concurrent requests do not see each other, so statuses still have to tell of conflicts.
 *
 * @param effective The effective policies of one kind, or of several of the same topology.
 * @param object The object that is to be created or changed.
 * @returns Warnings and conflicts.
 * @throws {PolicyMachineryError} What `Topology.apply` throws for the object.
 */
export function reviewAdmission(effective: Views, object: KubernetesObject): AdmissionReview {
  const views = viewsIn(effective);
  const { topology } = topologyOf(views).with({ upsert: [object] });
  const target = scopes.map((scope) => topology.get(refOf(object, scope))).find((node) => node?.resource === object);
  const warnings: string[] = [];
  const conflicts: string[] = [];
  for (const view of views) {
    const { kind } = view;
    const after = view.in(topology);
    if (groupKindKey(groupKindOf(object)) === groupKindKey(kind)) {
      for (const { outcome, message, ancestors } of reportPolicies(after, new Set([locatorOf(object, kind.scope)]))) {
        if (outcome === 'conflicted') conflicts.push(shortened(message));
        else if (outcome !== 'enforced' && ancestors.length > 0) warnings.push(shortened(message));
      }
    }
    if (target === undefined) continue;
    for (const policy of after.explain(target).policies) {
      warnings.push(shortened(`${kind.kind} ${policy.name} affects this ${target.ref.kind}.`));
    }
  }
  return { warnings, conflicts };
}

const scopes: readonly Scope[] = ['Namespaced', 'Cluster'];

/** As long as Kubernetes advises, without cutting a character in half, and without any that cannot be seen. */
function shortened(message: string): string {
  const text = printable(message);
  return text.length > 256 ? `${text.slice(0, 255).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}
