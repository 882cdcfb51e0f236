import { isSettled, type SourceState } from '@policy-machinery/cluster';
import { formatGroupKind, type GroupKind, groupKindKey } from '@policy-machinery/resource';
import type { KindTolerance } from '../controller-options.ts';

/** A kind that holds the controller up before its first plan. */
export interface HeldUpBy {
  /** `Kind.group`. */
  readonly kind: string;
  /** The missing right, with advice. */
  readonly message: string;
}

/**
 * Returns the kinds without which no conclusion is safe: those that are neither known completely, nor known to be absent, nor tolerated.
 *
 * @param kinds The kinds that the topology needs.
 * @param states The states of these kinds, by `groupKindKey`.
 * @param tolerances How to treat absent and forbidden kinds, by `Kind.group`.
 * @returns The kinds and why, in the order given; none if the controller may plan. O(kinds).
 */
export function heldUpBy(
  kinds: Iterable<GroupKind>,
  states: ReadonlyMap<string, SourceState>,
  tolerances: Readonly<Record<string, KindTolerance>> = {},
): readonly HeldUpBy[] {
  return Array.from(kinds, (kind): HeldUpBy | undefined => {
    const name = formatGroupKind(kind);
    const state = states.get(groupKindKey(kind));
    const message = reasonToWait(state, tolerances[name] ?? {});
    return message === undefined ? undefined : { kind: name, message };
  }).filter((it) => it !== undefined);
}

function reasonToWait(
  state: SourceState | undefined,
  { whenAbsent = 'ignore', whenForbidden = 'wait' }: KindTolerance,
): string | undefined {
  if (state === undefined) return 'not read yet';
  const { phase, message } = state;
  if (phase === 'absent') {
    return whenAbsent === 'wait'
      ? 'the API server does not serve this kind; install its CustomResourceDefinition'
      : undefined;
  }
  if (phase === 'forbidden' && whenForbidden === 'ignore') return undefined;
  if (isSettled(state)) return undefined;
  return message ?? 'not read yet';
}
