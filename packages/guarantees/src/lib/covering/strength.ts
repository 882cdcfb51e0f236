import type { Weakness } from '@policy-machinery/policy-kind';

/** How well a concern in force protects. With `external`, a service decides, and its checks are not known. */
export type Strength = 'full' | 'external' | Weakness;

/** All strengths, the strictest one first. */
const order: readonly Strength[] = [
  'full',
  'external',
  'trusting',
  'wide',
  'passthrough',
  'fail-open',
  'unverified',
  'part',
  'optional',
  'report-only',
  'unknown',
];

/** Compares by strictness: negative if `a` is stricter. */
export function byStrength(a: Strength, b: Strength): number {
  return order.indexOf(a) - order.indexOf(b);
}

/** Returns the least strict of some strengths; `full` for none. */
export function weakest(strengths: readonly Strength[]): Strength {
  return strengths.reduce((a, b) => (byStrength(a, b) < 0 ? b : a), 'full');
}

const insufficient: ReadonlySet<Strength> = new Set(['unverified', 'part', 'optional', 'report-only']);

/** Returns whether some requests pass as if the concern was not in force. */
export function isInsufficient(strength: Strength): boolean {
  return insufficient.has(strength);
}
