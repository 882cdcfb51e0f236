/**
 * The knowledge about a kind:
 *
 * - `listing`: nothing yet.
 * - `synced`: all its objects, and changes arrive.
 * - `stale`: all objects of some time ago. They stay unchanged until the API server answers again.
 * - `absent`: that the API server does not serve it, so that objects cannot exist.
 * - `forbidden`: nothing, because the API server refuses to say.
 */
export type SourcePhase = 'listing' | 'synced' | 'stale' | 'absent' | 'forbidden';

/** The state of a source: its phase, the begin of the phase, and the last failure. */
export interface SourceState {
  readonly phase: SourcePhase;
  /** When the phase began, in milliseconds since 1970. */
  readonly since: number;
  /** How often in a row the API server has not answered as hoped. 0 if all is well. */
  readonly failures: number;
  /** How often in a row the API server has refused the credentials (401), or its certificate was not trusted. Default: 0. */
  readonly refusals?: number;
  /** HTTP status code of the last failure, if there was an answer. */
  readonly code?: number;
  /** The last failure with the remedy, for people. */
  readonly message?: string;
}

/** Returns whether the objects of a kind are known: all of them at some time, or that the kind has none. */
export function isSettled({ phase }: SourceState): boolean {
  return phase === 'synced' || phase === 'stale' || phase === 'absent';
}

/** The phases, those first that say the least about the objects of a kind. */
const phases: readonly SourcePhase[] = ['listing', 'forbidden', 'stale', 'absent', 'synced'];

/** Returns the state of a kind that is read by namespace: the state of the least known namespace. */
export function combinedState(states: readonly SourceState[]): SourceState {
  return states.reduce((state, other) => (phases.indexOf(other.phase) < phases.indexOf(state.phase) ? other : state));
}
