import type { PolicyKind } from '@policy-machinery/policy-kind';
import { type AdmissionRules, cannotCheck } from './admission-policy.ts';

/** The namespaces that may have overrides. */
export interface OverrideNamespaces {
  /** The namespaces with policies that may have overrides. */
  readonly namespaces: readonly string[];
  /**
   * Where the ConfigMap with these namespaces is, one in each line of its key `namespaces`. Change the ConfigMap later, and the next request counts
   * by that.
   */
  readonly configMap: { readonly name: string; readonly namespace: string };
}

/** Returns rules that allow overrides only in policies of some namespaces. */
export function overrideNamespaces(
  kind: PolicyKind<unknown>,
  { namespaces, configMap }: OverrideNamespaces,
): AdmissionRules {
  if (kind.scope === 'Cluster') throw cannotCheck(kind, 'its policies are cluster-scoped; leave overrides out');
  const fields = overrideFields(kind);
  if (fields.length === 0)
    throw cannotCheck(kind, 'its policies do not have a stanza for overrides; leave overrides out');
  const params = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: configMap.name, namespace: configMap.namespace },
    data: { namespaces: namespaces.map((namespace) => `${namespace}\n`).join('') },
  };
  const hasNone = fields.map((field) => `!has(object.spec.${field})`).join(' && ');
  const isListed =
    'has(params.data) && "namespaces" in params.data && params.data["namespaces"].split("\\n").exists(n, n.trim() == request.namespace)';
  return {
    name: 'overrides',
    operations: ['CREATE', 'UPDATE'],
    validations: [
      {
        expression: `(${hasNone}) || (${isListed})`,
        message: `policies of this namespace may not have overrides; write defaults, or ask for the namespace to be listed in ConfigMap ${configMap.namespace}/${configMap.name}`,
        reason: 'Forbidden',
      },
    ],
    params,
  };
}

/** Returns the fields of a spec that hold overrides. */
export function overrideFields({ stanzas }: PolicyKind<unknown>): readonly string[] {
  return (stanzas.shape?.stanzas ?? []).flatMap(({ field }) => {
    if (field === undefined) return [];
    return stanzas.read({ [field]: {} }).layers.some(({ stanza }) => stanza === 'overrides') ? [field] : [];
  });
}
