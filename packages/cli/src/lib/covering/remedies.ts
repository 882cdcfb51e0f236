import type { Cell } from '@policy-machinery/guarantees/coverage';
import type { ConcernName } from '@policy-machinery/policy-kind';
import { formatTarget } from '@policy-machinery/topology';
import { titleOf } from './concern-columns.ts';

/**
 * Returns how requests lose a concern: `SecurityPolicy shop/cors replaces the authentication of Gateway infra/public`; `undefined` if no policy
 * replaces it.
 *
 * @param cell How the requests meet the concern.
 */
export function replacedText({ state, by, to }: Cell, concern: ConcernName): string | undefined {
  if (state !== 'lost' || by === undefined || to === undefined) return undefined;
  return `${to.kind} ${to.name} replaces the ${titleOf(concern)} of ${formatTarget(by.target)}`;
}

/**
 * Returns the remedy for requests that do not meet a concern; `''` if that is not known.
 *
 * @param gateway Their Gateway, as `namespace/name`.
 * @param policies The policies to change. Default: the one that decides; for a concern that is lost, none is named.
 */
export function remedyOf({ state, by, weakener = by, because = '' }: Cell, gateway: string, policies?: string): string {
  if (state === 'lost') {
    const where = policies === undefined ? '' : ` in ${policies}`;
    return because.includes('mergeType is not set') ? `set mergeType${where} to keep it` : `repeat it${where}`;
  }
  if (state === 'off') return 'accept or remove that';
  if (state === 'none') return because === '' && by === undefined ? `add one to ${gateway}` : 'accept or change that';
  return state === 'unknown'
    ? ''
    : `make ${weakener?.locator === by?.locator ? (policies ?? by?.name ?? 'it') : weakener?.name} strict, or accept it`;
}
