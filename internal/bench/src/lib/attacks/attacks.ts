import type { Attack } from './attack.ts';
import { linkingAttacks } from './linking-attacks.ts';
import { mergingAttacks } from './merging-attacks.ts';

/** Every attack of the benchmark; add yours to one of these lists, or a list of your own. */
export const attacks: readonly Attack[] = [...linkingAttacks, ...mergingAttacks];
