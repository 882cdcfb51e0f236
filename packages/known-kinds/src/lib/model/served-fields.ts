import type { PolicyKind } from '@policy-machinery/policy-kind';
import { type Issue, isJsonObject, type JsonObject, type KubernetesObject, specOf } from '@policy-machinery/resource';

/**
 * The fields with targets that a kind's definition has, each with its fields beside those that every reference or selector has: `group`, `kind`, `name` and
 * `matchLabels`.
 */
export type TargetFields = Readonly<Partial<Record<Form, readonly string[]>>>;

type Form = (typeof forms)[number];

const forms = ['targetRef', 'targetRefs', 'targetSelectors'] as const;
const common = {
  targetRef: ['group', 'kind', 'name'],
  targetRefs: ['group', 'kind', 'name'],
  targetSelectors: ['group', 'kind', 'matchLabels'],
};

/** The fields with targets of a kind, as far as known. */
export interface ServedFields {
  /** The fields of the definition. Default: not known. */
  readonly targetFields?: TargetFields;
  readonly versions: readonly string[];
}

/**
 * Returns a policy kind that reads the stored fields with targets: without fields that the definition does not have. Each is reported, as an
 * error if the policy does not have a target without it and is refused.
 *
 * @param kind The kind, which reads all fields.
 * @param definition The fields of the definition.
 */
export function withServedFields(
  kind: PolicyKind<JsonObject>,
  { targetFields, versions }: ServedFields,
): PolicyKind<JsonObject> {
  if (targetFields === undefined) return kind;
  const { targetSelectors } = kind;
  const served = Object.keys(targetFields);
  const storedForms = (policy: KubernetesObject, of: readonly Form[]): Stored => {
    const isKnown = versions.includes(policy.apiVersion.slice(kind.group.length + 1));
    return isKnown ? store(policy, targetFields, of) : { stored: policy, dropped: [] };
  };
  return {
    ...kind,
    targetFields: kind.targetFields.filter((field) => field in targetFields),
    targetRefs: (policy) => {
      const { stored, dropped } = storedForms(policy, ['targetRef', 'targetRefs']);
      const { refs, issues } = kind.targetRefs(stored);
      if (dropped.length === 0) return { refs, issues };
      const hasTargets = forms.some((form) => specOf(stored)[form] !== undefined);
      const advice = hasTargets || served.length === 0 ? undefined : `name targets in spec.${served.join(' or spec.')}`;
      const reported = dropped.map((field) => issueOf(kind.kind, field, advice));
      // Policies of some kinds need no target: they are for a namespace, or another object names them.
      const isRefused = !hasTargets && issues.some(({ severity }) => severity === 'error');
      if (isRefused) return { refs: [], issues: reported.map((issue) => ({ ...issue, severity: 'error' })) };
      return { refs, issues: [...reported, ...issues] };
    },
    ...(targetSelectors === undefined
      ? {}
      : {
          targetSelectors: (policy) => {
            const { stored, dropped } = storedForms(policy, ['targetSelectors']);
            const { selectors, issues } = targetSelectors(stored);
            return { selectors, issues: [...dropped.map((field) => issueOf(kind.kind, field)), ...issues] };
          },
        }),
  };
}

/** A stored policy, with the fields that are not stored. */
interface Stored {
  readonly stored: KubernetesObject;
  readonly dropped: readonly DroppedField[];
}

interface DroppedField {
  readonly field: string;
  readonly pointer: string;
}

function store(policy: KubernetesObject, served: TargetFields, of: readonly Form[]): Stored {
  const dropped: DroppedField[] = [];
  const spec: Record<string, unknown> = { ...specOf(policy) };
  for (const form of of) {
    const value = spec[form];
    if (value === undefined || value === null) continue;
    const pointer = `/spec/${form}`;
    if (served[form] === undefined) {
      delete spec[form];
      dropped.push({ field: form, pointer });
    } else if (Array.isArray(value)) {
      spec[form] = value.map((entry, index) => storeEntry(entry, form, served, `${pointer}/${index}`, dropped));
    } else {
      spec[form] = storeEntry(value, form, served, pointer, dropped);
    }
  }
  return { stored: dropped.length === 0 ? policy : ({ ...policy, spec } as KubernetesObject), dropped };
}

/** The fields that can be read at all: others are reported where references are read. */
const readable = ['namespace', 'sectionName', 'port', 'matchExpressions', 'namespaces'];

function storeEntry(
  entry: unknown,
  form: Form,
  served: TargetFields,
  pointer: string,
  dropped: DroppedField[],
): unknown {
  if (!isJsonObject(entry)) return entry;
  const kept = [...common[form], ...(served[form] ?? [])];
  const fields = Object.entries(entry).filter(([field, value]) => {
    const isKept = kept.includes(field) || !readable.includes(field) || value === null;
    if (!isKept) dropped.push({ field, pointer: `${pointer}/${field}` });
    return isKept;
  });
  return Object.fromEntries(fields);
}

function issueOf(kind: string, { field, pointer }: DroppedField, advice = 'remove it'): Issue {
  const message = `${kind} does not have the field ${field} here, so API servers drop it; ${advice}`;
  return { code: 'dropped-field', severity: 'warning', message, pointer };
}
