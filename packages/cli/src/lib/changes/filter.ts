import { parseLocator } from '@policy-machinery/resource';
import type { CoverageChange } from '../covering/changes.ts';
import type { Finding } from '../model/answer.ts';
import { UsageError } from '../model/usage-error.ts';
import type { TargetChange } from './effective-changes.ts';
import type { OutcomeChange } from './outcome-changes.ts';

export interface ChangeFilter {
  readonly target: (change: TargetChange) => boolean;
  readonly outcome: (change: OutcomeChange) => boolean;
  readonly finding: (finding: Finding) => boolean;
  readonly protection: (change: CoverageChange) => boolean;
}

const keys = ['namespace', 'kind', 'target'] as const;
type Key = (typeof keys)[number];

/**
 * Reads `--only`. A change must match one of the values of each key.
 *
 * @param only The values: `namespace=shop`.
 * @returns The filter.
 * @throws {UsageError} For other keys.
 */
export function filterOf(only: readonly string[] = []): ChangeFilter {
  const wanted = new Map<Key, string[]>();
  for (const text of only) {
    const [name = '', ...value] = text.split('=');
    const key = keys.find((each) => each === name);
    if (key === undefined || value.join('=') === '') {
      throw new UsageError(`--only ${text} is not valid; write namespace=shop, kind=RetryPolicy or target=HTTPRoute`);
    }
    wanted.set(key, [...(wanted.get(key) ?? []), value.join('=')]);
  }
  const fits = (key: Key, value: string | undefined): boolean => {
    const values = wanted.get(key);
    return values === undefined || values.some((each) => each.toLowerCase() === value?.toLowerCase());
  };
  return {
    target: ({ target, view }) =>
      fits('namespace', target.ref.namespace) && fits('kind', view.found.kind.kind) && fits('target', target.ref.kind),
    outcome: ({ policy }) => fits('namespace', policy.namespace) && fits('kind', policy.kind) && !wanted.has('target'),
    finding: ({ resource }) => {
      const ref = resource === undefined ? undefined : parseLocator(resource);
      return fits('namespace', ref?.namespace) && fits('kind', ref?.kind) && !wanted.has('target');
    },
    protection: ({ ref, kind }) => fits('namespace', ref.namespace) && fits('target', ref.kind) && fits('kind', kind),
  };
}
