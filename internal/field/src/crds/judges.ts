import { type KnownKind, policyKindFromCrd } from '@policy-machinery/known-kinds';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import {
  groupKindKey,
  type JsonObject,
  type KubernetesObject,
  objectIn,
  objectsIn,
  stringIn,
} from '@policy-machinery/resource';
import { isSectionKind, type Targetable } from '@policy-machinery/topology';
import { fieldsOf } from './definitions.ts';

/** Returns whether the target fields of a spec are allowed. */
export type Judge = (spec: JsonObject) => boolean;

const aboutTargets = /\btarget(?:Ref|Refs|Selectors)\b/;

/**
 * Returns what the API server says about the target fields of specs: it tries the schema, without requirements and rules about other fields.
 *
 * @param crd The definition.
 * @param version The version of the specs.
 */
export function judgeOfDefinition(crd: KubernetesObject, version: string): Judge {
  const { checks } = policyKindFromCrd(targetsAlone(crd), { version });
  return (spec) => {
    const faults = checks?.check(spec) ?? [];
    return !faults.some(({ pointer }) => pointer === '' || pointer.startsWith('/target'));
  };
}

/** Returns a definition whose specs need their targets alone. */
function targetsAlone(crd: KubernetesObject): KubernetesObject {
  const copy = structuredClone(crd) as KubernetesObject & { spec: JsonObject };
  for (const version of objectsIn(copy.spec.versions)) {
    const spec = objectIn(fieldsOf(objectIn(version.schema).openAPIV3Schema).spec) as Record<string, unknown>;
    const { required, 'x-kubernetes-validations': rules } = spec;
    if (Array.isArray(required)) spec.required = required.filter((field) => String(field).startsWith('target'));
    spec['x-kubernetes-validations'] = objectsIn(rules).filter(({ rule }) => aboutTargets.test(stringIn(rule) ?? ''));
  }
  return copy;
}

/** The codes of fields that the row does not read, or knows API servers to drop. */
const leftOut: ReadonlySet<string> = new Set(['unread-field', 'dropped-field']);

/**
 * Returns what a row of the table says about the target fields of specs: whether policies are read without an error, with nothing left unread, and
 * attach to targets that the row has.
 *
 * @param known The row.
 */
export function judgeOfRow(known: KnownKind): Judge {
  const kind = known.define();
  return (spec) => {
    if ('targetSelectors' in spec && !kind.targetFields.includes('targetSelectors')) return false;
    const policy: KubernetesObject = {
      apiVersion: `${known.group}/${kind.version}`,
      kind: known.kind,
      metadata: { name: 'a', namespace: 'own' },
      spec,
    };
    const named = kind.targetRefs(policy);
    const selected = kind.targetSelectors?.(policy) ?? { selectors: [], issues: [] };
    const issues = [...named.issues, ...selected.issues];
    if (issues.some(({ code, severity }) => severity === 'error' || leftOut.has(code))) return false;
    if (issues.some(({ code }) => code === 'invalid-target-ref')) return false;
    const mayReach = selected.selectors.every(
      ({ namespaces }) => namespaces.from === 'Same' || kind.crossNamespace !== 'refuse',
    );
    return mayReach && [...named.refs, ...selected.selectors].every((target) => mayTarget(kind, target));
  };
}

interface NamedTarget {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly sectionName?: string | undefined;
  readonly port?: number | undefined;
}

function mayTarget(
  { targets, crossNamespace }: PolicyKind<unknown>,
  { namespace = 'own', sectionName, port, ...named }: NamedTarget,
): boolean {
  if (namespace !== 'own' && crossNamespace === 'refuse') return false;
  const isSection = sectionName !== undefined || port !== undefined;
  return targets.some(
    (target: Targetable) =>
      isSectionKind(target) === isSection &&
      groupKindKey(isSectionKind(target) ? target.of : target) === groupKindKey(named),
  );
}
