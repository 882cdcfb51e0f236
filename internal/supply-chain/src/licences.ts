import satisfies from 'spdx-satisfies';
import type { Shipped } from './shipped.ts';

/** The licences under which anyone may use what an Apache-2.0 project ships, if they keep the notices. */
const allowed = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
];

/**
 * Returns the packages whose licence is missing or not allowed, with what is wrong.
 *
 * @param shipped What is shipped.
 * @returns A line for each.
 */
export function licenceFaults(shipped: readonly Shipped[]): readonly string[] {
  return shipped.flatMap(({ name, version, license, neededBy }) => {
    if (license !== undefined && isAllowed(license)) return [];
    const what =
      license === undefined
        ? 'names no licence'
        : `has the licence ${license}, which is not one of ${allowed.join(', ')}`;
    return [`${name}@${version} ${what}; ${neededBy.join(', ')} needs it`];
  });
}

function isAllowed(license: string): boolean {
  try {
    return satisfies(license, allowed);
  } catch {
    return false; // Not an expression of SPDX: "SEE LICENSE IN …".
  }
}
