import { findPolicyKinds, knownKinds } from '@policy-machinery/known-kinds';
import { otherKinds } from '@policy-machinery/known-kinds/inner';
import { formatGroupKind } from '@policy-machinery/resource';
import type { Checked } from '../checked.ts';
import { type FoundDefinition, fieldsOf, versionsOf } from './definitions.ts';

/**
 * Checks what becomes of the kinds that have a definition and no row: each that has the policy label, or names targets, is found by its definition, or is
 * listed with the reason why it is not read.
 *
 * @param definitions The definitions, by kind.
 */
export function checkOthers(definitions: ReadonlyMap<string, FoundDefinition>): Checked {
  const rows = new Set(knownKinds.map(formatGroupKind));
  const others = [...definitions].filter(([name]) => !rows.has(name)).map(([name, found]) => fateOf(name, found));
  const lines = fates.flatMap(({ fate, says }) => {
    const names = others.filter((other) => other.fate === fate).map(({ name }) => name);
    return names.length === 0 ? [] : [`- ${says} (${names.length}): ${names.join(', ')}`];
  });
  return {
    lines: lines.length === 0 ? [] : ['Kinds without a row:', ...lines],
    faults: others
      .filter(({ fate }) => fate === 'overlooked')
      .map(({ name }) => `${name}: has the policy label or names targets, and is neither read nor listed`),
  };
}

const noPolicies: ReadonlySet<string> = new Set(otherKinds.map(formatGroupKind));

const fates = [
  { fate: 'read', says: 'read by their definition' },
  { fate: 'listed', says: 'listed as not read' },
  { fate: 'other', says: 'no policies, as their systems document' },
  { fate: 'none', says: 'no policies: without the policy label, and without a field that names targets' },
  { fate: 'overlooked', says: 'overlooked' },
] as const;

function fateOf(name: string, { crd }: FoundDefinition) {
  if (noPolicies.has(name)) return { name, fate: 'other' } as const;
  const { kinds, mesh, unread } = findPolicyKinds({ resources: [crd] });
  if (kinds.length > 0 || mesh !== undefined) return { name, fate: 'read' } as const;
  if (unread.length > 0) return { name, fate: 'listed' } as const;
  const isLabelled = crd.metadata.labels?.['gateway.networking.k8s.io/policy'] !== undefined;
  const namesTargets = versionsOf(crd).some(({ spec }) =>
    Object.keys(fieldsOf(spec)).some((field) => /^target\w*Ref/.test(field)),
  );
  return { name, fate: isLabelled || namesTargets ? 'overlooked' : 'none' } as const;
}
