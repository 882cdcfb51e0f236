import { formatPointer, isJsonObject, type JsonObject, type JsonValue, namespaceOf } from '@policy-machinery/resource';
import type { ContextLayer } from '../fold/context-layer.ts';
import type { EffectivePolicy } from './effective-policy.ts';

/** A reference to an object in an effective spec. */
export interface SpecReference<Spec> {
  /** JSON Pointer to the reference, from the root of the spec: `/tls/secretRef`. */
  readonly pointer: string;
  /** The reference as the policy has it. */
  readonly reference: JsonObject;
  /** The namespace where the reference is to be resolved. */
  readonly namespace: string;
  /** The layers that set the reference: usually one: its policy decides about the namespace. */
  readonly by: readonly ContextLayer<Spec>[];
}

/** Options of {@link referencesIn}. */
export interface SpecReferenceOptions {
  /**
   * Returns whether an object is a reference.
   *
   * @param value The object.
   * @param pointer JSON Pointer to the object.
   */
  readonly isReference?: ((value: JsonObject, pointer: string) => boolean) | undefined;
}

/**
 * Returns the references to other objects in an effective spec, each with the namespace that it is to be resolved in: the namespace that the
 * reference names, or else the namespace of the policy that set it. A merged spec has references of policies from several namespaces, so a Secret that a
 * Gateway's policy names must not be looked up in the namespace of a route.
 *
 * @param effective The effective policy.
 * @param options Recognizes references. Default: an object with a `name` below a key that ends with `Ref` or `Refs`, or with a `name` and a `kind`.
 * @returns The references, in the order of the spec. If several policies set parts of one, the policy that set its `name` decides. O(spec).
 * @example
 * ```ts
 * for (const policy of effective.of('httproute.gateway.networking.k8s.io:shop/cart')) {
 *   for (const { reference, namespace } of referencesIn(policy)) console.log(namespace, reference.name);
 * }
 * ```
 */
export function referencesIn<Spec>(
  effective: EffectivePolicy<Spec>,
  { isReference = looksLikeReference }: SpecReferenceOptions = {},
): readonly SpecReference<Spec>[] {
  const references: SpecReference<Spec>[] = [];
  const visit = (value: JsonValue | undefined, pointer: string): void => {
    if (isJsonObject(value) && isReference(value, pointer)) references.push(referenceAt(effective, pointer, value));
    else if (typeof value === 'object' && value !== null)
      for (const [key, below] of Object.entries(value)) visit(below, pointer + formatPointer([key]));
  };
  visit(effective.spec as JsonValue, '');
  return references;
}

function referenceAt<Spec>(
  effective: EffectivePolicy<Spec>,
  pointer: string,
  reference: JsonObject,
): SpecReference<Spec> {
  const by = effective.originsOf(pointer);
  const decisive = effective.originOf(`${pointer}/name`) ?? by[0];
  const ownNamespace = decisive === undefined ? 'default' : namespaceOf(decisive.policy.resource);
  const { namespace } = reference;
  return {
    pointer,
    reference,
    namespace: typeof namespace === 'string' && namespace !== '' ? namespace : ownNamespace,
    by,
  };
}

function looksLikeReference({ name, kind }: JsonObject, pointer: string): boolean {
  if (typeof name !== 'string') return false;
  return typeof kind === 'string' || /[rR]efs?(\/\d+)?$/.test(pointer);
}
