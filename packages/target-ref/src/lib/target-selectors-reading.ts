import {
  formatPointer,
  type Issue,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  type LabelSelector,
  matchesSelector,
  specOf,
} from '@policy-machinery/resource';
import { describe, type Fault, type FieldRules, fieldFaults, isSet, type Path } from './field-faults.ts';
import { fieldRules } from './patterns.ts';
import { readPort } from './read-port.ts';
import { defaultMaxTargets, type TargetOptions } from './read-target-refs.ts';
import type { DeclaredTargetSelector, TargetNamespaces } from './target-selectors.ts';
import { unreadFields } from './unread-fields.ts';

/** The selectors that a policy declares, and their faults. */
export interface TargetSelectorReading {
  /** The valid selectors, in the order of the policy. */
  readonly selectors: readonly DeclaredTargetSelector[];
  /** Everything that is wrong, with JSON Pointers from the root of the policy. */
  readonly issues: readonly Issue[];
}

const gatewayApiGroup = 'gateway.networking.k8s.io';
const rules: FieldRules = [
  ['group', { ...fieldRules.group, required: false }],
  ['kind', fieldRules.kind],
  ['sectionName', fieldRules.sectionName],
];
const knownFields = [...rules.map(([field]) => field), 'matchLabels', 'matchExpressions', 'namespaces'];
const portedFields = [...knownFields, 'port'];
const namespaceSources: readonly JsonValue[] = ['Same', 'All', 'Selector'];

/**
 * Reads `spec.targetSelectors` of a policy, at most 16 unless `maxTargets` says otherwise. They may accompany `targetRefs` or
 * replace them. Each has a kind, and may have a group (default Gateway API's), `matchLabels`, `matchExpressions`,
 * `namespaces` (default the policy's own), and the `sectionName` of a section of each selected target.
 *
 * @param options How many selectors there may be, and how the core group may be spelled.
 * @returns Its selectors, and every issue found. Never throws.
 * @example
 * ```ts
 * readTargetSelectors(policy).selectors[0]?.namespaces.from; // 'Same'
 * ```
 */
export function readTargetSelectors(
  policy: KubernetesObject,
  {
    coreGroupSpellings = [],
    maxTargets = defaultMaxTargets,
    defaultGroup = gatewayApiGroup,
    ports = false,
  }: TargetOptions = {},
): TargetSelectorReading {
  const { targetSelectors } = specOf(policy);
  const faults: SelectorFault[] = [];
  if (isSet(targetSelectors) && !Array.isArray(targetSelectors)) {
    faults.push({ message: 'targetSelectors must be a list', pointer: '/spec/targetSelectors' });
  }
  const listed: readonly JsonValue[] = Array.isArray(targetSelectors) ? targetSelectors : [];
  if (listed.length > maxTargets) {
    const message = `${listed.length} selectors; split the policy, ${maxTargets} are allowed`;
    faults.push({ message, pointer: '/spec/targetSelectors' });
  }
  const entries = listed.length > maxTargets ? [] : listed;
  const selectors = entries
    .flatMap((entry, index) => readEntry(entry, ['spec', 'targetSelectors', index], { defaultGroup, ports }, faults))
    .map((selector) => (coreGroupSpellings.includes(selector.group) ? { ...selector, group: '' } : selector));
  const issues = faults.map((fault): Issue => ({ code: 'invalid-target-selector', severity: 'error', ...fault }));
  return { selectors, issues };
}

type SelectorFault = Fault & Partial<Pick<Issue, 'code' | 'severity'>>;

function readEntry(
  entry: JsonValue,
  path: Path,
  { defaultGroup, ports }: Required<Pick<TargetOptions, 'defaultGroup' | 'ports'>>,
  faults: SelectorFault[],
): DeclaredTargetSelector[] {
  const pointer = formatPointer(path);
  if (!isJsonObject(entry)) {
    faults.push({ message: 'a target selector must be an object with a kind and conditions on labels', pointer });
    return [];
  }
  for (const fault of unreadFields(entry, ports ? portedFields : knownFields, pointer)) faults.push(fault);
  const { port, fault } = ports ? readPort(entry, pointer) : {};
  const wrong = [
    ...(fault === undefined ? [] : [fault]),
    ...fieldFaults(entry, pointer, rules),
    ...labelFaults(entry, path),
    ...namespaceFaults(entry.namespaces, [...path, 'namespaces']),
  ];
  // Not spread: a tenant may write more broken labels than a call takes arguments.
  for (const fault of wrong) faults.push(fault);
  if (wrong.length > 0) return [];
  const { group, kind, matchLabels, matchExpressions, sectionName } = entry;
  const section = port === undefined ? { sectionName } : { port };
  const optional = Object.entries({ matchLabels, matchExpressions, ...section }).filter(([, value]) => isSet(value));
  const namespaces = namespacesIn(entry.namespaces);
  return [
    {
      group: group ?? defaultGroup,
      kind,
      ...Object.fromEntries(optional),
      namespaces,
      pointer,
    } as DeclaredTargetSelector,
  ];
}

/** Checks each condition separately, so that every fault has its pointer. */
function labelFaults({ matchLabels, matchExpressions }: JsonObject, path: Path): readonly Fault[] {
  const parts: readonly (readonly [Path, object])[] = [
    ...(isJsonObject(matchLabels)
      ? Object.entries(matchLabels).map(
          ([key, value]) => [['matchLabels', key], { matchLabels: { [key]: value } }] as const,
        )
      : [[['matchLabels'], { matchLabels }] as const]),
    ...(Array.isArray(matchExpressions)
      ? matchExpressions.map((one, index) => [['matchExpressions', index], { matchExpressions: [one] }] as const)
      : [[['matchExpressions'], { matchExpressions }] as const]),
  ];
  return parts.flatMap(([place, part]) => {
    try {
      matchesSelector(part as LabelSelector);
      return [];
    } catch (error) {
      return [{ message: shorten((error as Error).message), pointer: formatPointer([...path, ...place]) }];
    }
  });
}

function namespaceFaults(namespaces: JsonValue | undefined, path: Path): readonly Fault[] {
  if (!isSet(namespaces)) return [];
  if (!isJsonObject(namespaces)) return [{ message: 'namespaces must be an object', pointer: formatPointer(path) }];
  const { from, selector } = namespaces;
  if (isSet(from) && !namespaceSources.includes(from)) {
    const message = `from is ${describe(from)}; expected one of ${namespaceSources.join(', ')}`;
    return [{ message, pointer: formatPointer([...path, 'from']) }];
  }
  if (from !== 'Selector') return [];
  const selectorPath = [...path, 'selector'];
  if (isJsonObject(selector)) return labelFaults(selector, selectorPath);
  return [{ message: 'from is Selector; set selector to a label selector', pointer: formatPointer(selectorPath) }];
}

/** Returns the namespaces, given a value without faults. */
function namespacesIn(namespaces: JsonValue | undefined): TargetNamespaces {
  const { from, selector } = isJsonObject(namespaces) ? namespaces : {};
  return (from === 'Selector' ? { from, selector } : { from: from ?? 'Same' }) as TargetNamespaces;
}

function shorten(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
