import type { ConcernName } from '@policy-machinery/policy-kind';
import type { Evidence } from './author.ts';
import { byStrength } from './strength.ts';

/** A part of the requests, by the weight of the backend that they reach, with the policies that they meet there. */
export interface Share {
  readonly weight: number;
  readonly evidence: readonly Evidence[];
}

/** Returns the coverage of all of the requests: a concern that only some of them meet is in force for a part. */
export function combineShares(shares: readonly Share[]): readonly Evidence[] {
  const [first] = shares;
  if (first === undefined) return [];
  if (shares.every(({ evidence }) => evidence === first.evidence)) return first.evidence;
  const concerns = new Set(shares.flatMap(({ evidence }) => evidence.map(({ concern }) => concern)));
  return [...concerns].flatMap((concern) => combined(shares, concern));
}

function combined(shares: readonly Share[], concern: ConcernName): readonly Evidence[] {
  const serving = shares.flatMap(({ weight, evidence }) => {
    const [best] = evidence
      .filter((it) => it.concern === concern && it.state === 'in-force')
      .sort((a, b) => byStrength(a.strength, b.strength));
    return best === undefined ? [] : [{ weight, best }];
  });
  const others = shares.flatMap(({ evidence }) =>
    evidence.filter((it) => it.concern === concern && it.state !== 'in-force'),
  );
  const weakest = serving.map(({ best }) => best).sort((a, b) => byStrength(b.strength, a.strength))[0];
  if (weakest === undefined || others.some(({ state }) => state === 'unknown')) return others;
  if (serving.length === shares.length) return [weakest, ...others];
  const because = `${weightOf(serving)} of ${weightOf(shares)} requests`;
  const strength = byStrength(weakest.strength, 'part') > 0 ? weakest.strength : 'part';
  return [{ ...weakest, strength, because }, ...others];
}

function weightOf(shares: readonly { readonly weight: number }[]): number {
  return shares.reduce((sum, { weight }) => sum + weight, 0);
}
