import type { EffectivePolicies, EffectivePolicy } from '@policy-machinery/effective-policy';
import { type JsonObject, type ResourceRef, refOf } from '@policy-machinery/resource';
import { checkControllerName } from '@policy-machinery/resource/inner';
import type { TargetNode } from '@policy-machinery/topology';
import { targetableKey } from '@policy-machinery/topology/inner';
import { type EffectivePoliciesInput, viewsIn } from '../effective-policies-input.ts';
import { parentReference } from './policy-report.ts';

/** The EffectivePolicy resource of GEP-713 of 2023, which shows the policies that apply to the object with the same name. */
export interface EffectivePolicyResource {
  readonly apiVersion: 'gateway.networking.k8s.io/v1alpha2';
  readonly kind: 'EffectivePolicy';
  /** Name and namespace of the object. */
  readonly metadata: { readonly name: string; readonly namespace?: string };
  /** One entry for each effective policy of the object or of a section of it; there is neither a spec nor a status. */
  readonly policies: readonly EffectivePolicyEntry[];
}

/** The effective policy of an object, or of a section, in one context. */
export interface EffectivePolicyEntry {
  readonly controllerName: string;
  /** The object, or the section: its kind is not in the metadata, and more than one may have its name. */
  readonly targetRef: EffectiveTargetRef;
  /** The ancestors on the paths to the section in this context, by name; more than one context may have the same. */
  readonly ancestors: readonly ObjectName[];
  /** The policies that set something in it. */
  readonly objects: readonly ObjectName[];
  /**
   * The effective policy, under the name of its kind: a spec as policies of that kind have it. A policy with this spec, if it
   * is the only one, has the same effect on the target, except where an override prevails over the target's own value. Its
   * targetRefs name the section or the object, whichever policies of the kind may target; else the most specific target on the
   * way that has a policy. If all policies of a kind stay, it has their specs, and is not a policy of that kind.
   */
  readonly resultantPolicy: { readonly [kind: string]: JsonObject };
}

/** A target, as policies name it. */
export interface EffectiveTargetRef {
  readonly group: string;
  readonly kind: string;
  /** Only if it differs from the namespace of the resource. */
  readonly namespace?: string;
  readonly name: string;
  readonly sectionName?: string;
}

/** A resource by name, as GEP-713 spells it. */
export interface ObjectName {
  readonly apiGroup: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/**
 * Returns effective policies as EffectivePolicy resources of GEP-713 of 2023, which it calls provisional: one for each
 * namespace and name of objects that a policy applies to.
 *
 * @param effective The effective policies of one kind, or of several of the same topology.
 * @param options The controller that computes them.
 * @returns The resources, in the order of namespace and name.
 * @throws {PolicyMachineryError} `invalid-controller-name` if a status cannot hold the name.
 */
export function effectivePolicyResources(
  effective: EffectivePoliciesInput,
  { controllerName }: { readonly controllerName: string },
): readonly EffectivePolicyResource[] {
  checkControllerName(controllerName);
  const resources = new Map<
    string,
    { metadata: EffectivePolicyResource['metadata']; policies: EffectivePolicyEntry[] }
  >();
  for (const view of viewsIn(effective)) {
    for (const policy of view) {
      const { namespace, name } = policy.target.ref;
      const key = namespace === undefined ? name : `${namespace}/${name}`;
      const metadata = { ...(namespace === undefined ? {} : { namespace }), name };
      const resource = resources.get(key) ?? { metadata, policies: [] };
      resources.set(key, resource);
      resource.policies.push(entryOf(policy, view.kind, controllerName));
    }
  }
  return [...resources]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, fields]) => ({ apiVersion: 'gateway.networking.k8s.io/v1alpha2', kind: 'EffectivePolicy', ...fields }));
}

function entryOf(
  policy: EffectivePolicy<unknown>,
  kind: EffectivePolicies<unknown>['kind'],
  controllerName: string,
): EffectivePolicyEntry {
  const { target } = policy;
  const objects = policy.shares.flatMap((share) =>
    share.contributes ? [objectName(refOf(share.policy.resource, kind.scope))] : [],
  );
  const { namespace } = target.ref;
  const declared = parentReference(targetFor(policy, kind).ref, namespace);
  const spec: JsonObject = { targetRefs: [{ ...declared }], ...(policy.spec as JsonObject) };
  return {
    controllerName,
    targetRef: parentReference(target.ref, namespace),
    ancestors: policy.ancestors.map(({ ref }) => objectName(ref)),
    objects,
    resultantPolicy: { [lowerFirst(kind.kind)]: spec },
  };
}

/** Returns the target that a policy of the kind would name to have this effect. */
function targetFor(
  { target, levels }: EffectivePolicy<unknown>,
  { targets }: EffectivePolicies<unknown>['kind'],
): TargetNode {
  const keys = new Set(targets.map(targetableKey));
  const itself = [target, target.object].find((it) => keys.has(targetableKey(it.kind)));
  return itself ?? levels.at(-1)?.target ?? target;
}

function objectName({ group, kind, namespace, name }: ResourceRef): ObjectName {
  return { apiGroup: group, kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** Returns `awesomePolicy` for `AwesomePolicy`, as fields are spelled. */
function lowerFirst(kind: string): string {
  return kind.charAt(0).toLowerCase() + kind.slice(1);
}
