import type { PolicyKind } from '@policy-machinery/policy-kind';
import { type Issue, isJsonObject, type JsonObject, type KubernetesObject, specOf } from '@policy-machinery/resource';

/**
 * The fields with targets that a kind's definition has, each with its fields beside those that every reference or selector has: `group`, `kind`, `name` and
 * `matchLabels`.
 */
export type TargetFields = Readonly<Partial<Record<(typeof forms)[number], readonly string[]>>>;

const forms = ['targetRef', 'targetRefs', 'targetSelectors'] as const;
const common = {
  targetRef: ['group', 'kind', 'name'],
  targetRefs: ['group', 'kind', 'name'],
  targetSelectors: ['group', 'kind', 'matchLabels'],
};

/**
 * Returns a policy kind that reads the fields with targets as an API server stores them: without those that the definition does not have. Each is reported,
 * as an error if the policy has no target without it.
 *
 * @param kind The kind, which reads all fields.
 * @param served The fields of the definition; `undefined` if they are not known.
 */
export function withServedFields(
  kind: PolicyKind<JsonObject>,
  served: TargetFields | undefined,
): PolicyKind<JsonObject> {
  if (served === undefined) return kind;
  const { targetSelectors } = kind;
  const advice = `name targets in spec.${Object.keys(served).join(' or spec.')}`;
  return {
    ...kind,
    targetFields: kind.targetFields.filter((field) => field in served),
    targetRefs: (policy) => {
      const { stored, dropped } = store(policy, served, ['targetRef', 'targetRefs']);
      if (dropped.length === 0) return kind.targetRefs(policy);
      const hasTargets = forms.some((form) => specOf(stored)[form] !== undefined);
      const issues = dropped.map(({ field, pointer }) =>
        issueOf(kind.kind, field, pointer, hasTargets ? undefined : advice),
      );
      if (!hasTargets) return { refs: [], issues };
      const { refs, issues: others } = kind.targetRefs(stored);
      return { refs, issues: [...issues, ...others] };
    },
    ...(targetSelectors === undefined
      ? {}
      : {
          targetSelectors: (policy) => {
            const { stored, dropped } = store(policy, served, ['targetSelectors']);
            const { selectors, issues } = targetSelectors(stored);
            return {
              selectors,
              issues: [...dropped.map(({ field, pointer }) => issueOf(kind.kind, field, pointer)), ...issues],
            };
          },
        }),
  };
}

interface DroppedField {
  readonly field: string;
  readonly pointer: string;
}

function store(policy: KubernetesObject, served: TargetFields, of: readonly (keyof TargetFields)[]) {
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
  form: keyof TargetFields,
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

function issueOf(kind: string, field: string, pointer: string, advice?: string): Issue {
  const message = `${kind} has no field ${field} here, and API servers drop it; ${advice ?? 'remove it'}`;
  return { code: 'dropped-field', severity: advice === undefined ? 'warning' : 'error', message, pointer };
}
