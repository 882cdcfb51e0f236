import type { Author, Cell } from '@policy-machinery/guarantees/coverage';
import { parsePointer } from '@policy-machinery/resource';
import { formatTarget, type TargetNode } from '@policy-machinery/topology';
import { nameOf } from './accepted.ts';

/** Returns a field in short: `jwt.optional`. */
function fieldOf(pointer: string): string {
  return parsePointer(pointer).join('.');
}

/** Returns who decides: `SecurityPolicy infra/login jwt`. */
function authorText({ kind, name, pointer }: Author): string {
  return [kind, name, fieldOf(pointer)].filter((text) => text !== '').join(' ');
}

/**
 * Returns how requests meet a concern, and why, in one line: `lost: SecurityPolicy shop/cors replaces SecurityPolicy infra/login on Gateway infra/public`.
 */
export function reasonText(cell: Cell): string {
  const { state, by, to, because, replaces } = cell;
  const why = because === undefined ? '' : `; ${because}`;
  if (by === undefined)
    return [state === 'unknown' ? 'not known' : state.replace('-', ' '), because].filter(Boolean).join(': ');
  const author = authorText(by);
  if (state === 'lost') {
    const winner = to === undefined ? 'another policy' : `${to.kind} ${to.name}`;
    return `lost: ${winner} replaces ${author} of ${formatTarget(by.target)}${why}`;
  }
  if (state === 'off') return `off by ${author}${why}`;
  if (state === 'unknown') return `not known: ${because ?? author}`;
  if (state === 'none') return `none: ${because ?? `${author} switches off a setting that is not set`}`;
  const where = state === 'inherited' ? `inherited from ${formatTarget(by.target)}` : 'own';
  const replaced = replaces === undefined ? '' : `, instead of ${replaces.kind} ${replaces.name}`;
  return `${[where, strengthText(cell)].filter(Boolean).join(', ')}: ${author}${replaced}${why}`;
}

/** Returns how well a concern in force protects, with the field that weakens it: `optional by jwt.optional`; `''` for full protection. */
export function strengthText({ strength = 'full', by, weakener }: Cell): string {
  if (strength === 'full' || weakener === undefined) return strength === 'full' ? '' : strength;
  const isSame = weakener.locator === by?.locator;
  if (isSame && weakener.pointer === by.pointer) return strength;
  return `${strength} by ${isSame ? fieldOf(weakener.pointer) : authorText(weakener)}`;
}

/** Returns who decides, in short: the name of the target above, or of the policy that wins. */
export function sourceOf({ state, by, to }: Cell, route: TargetNode): string {
  if (state === 'lost') {
    return to === undefined || to.target.object === route ? 'lost to own policy' : `lost to ${to.name}`;
  }
  if (state === 'off') return `off by ${by?.name ?? ''}`;
  if (state === 'inherited' && by !== undefined) return nameOf(by.target);
  if (state === 'unknown') return 'not known';
  return state === 'not-needed' ? 'not needed' : state;
}
