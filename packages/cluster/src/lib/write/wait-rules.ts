/** Why a write, all writes to a kind, or all writes wait. */
export type WaitReason =
  /** The object has changed after the plan. */
  | 'conflict'
  /** The write may have been made or not. */
  | 'failed'
  /** The object, its kind or its namespace is not there. */
  | 'missing'
  /** The API server does not accept the write. */
  | 'refused'
  /** An admission policy or a webhook forbids the write. */
  | 'forbidden'
  /** This process has no right to write to the object. */
  | 'unauthorized'
  /** The API server is busy. */
  | 'throttled'
  /** The API server cannot be reached. */
  | 'unreachable'
  /** Another manager changes the same content again and again. */
  | 'restored';

/** How long a wait lasts, and how it ends. */
export interface WaitRule {
  /** The first wait, in milliseconds. It doubles from failure to failure. */
  readonly first: number;
  /** The longest wait, in milliseconds. */
  readonly cap: number;
  /** At the end, the same write is sent again, or its object is planned again. */
  readonly next: 'send' | 'plan';
  /** Whether the first write to the kind that succeeds ends the wait as well. Default: `false`. */
  readonly endsWithKind?: boolean;
  /** Whether the wait ends when the object has another version, which the API server may accept the write to. Default: `false`. */
  readonly endsWithVersion?: boolean;
  /** The further writes that wait after several parts in a row have failed for this reason. Default: nothing. */
  readonly spreads?: 'kind' | 'server';
  /** Whether the reason is everybody's from the first failure: then the part itself does not wait. Default: `false`. */
  readonly isShared?: boolean;
}

/**
 * The rule for each reason. Reasons that pass by themselves have the delays of client-go's work queue; reasons that people must correct have longer
 * ones.
 */
export const waitRules: Readonly<Record<WaitReason, WaitRule>> = {
  conflict: { first: 10, cap: 1_000_000, next: 'plan' },
  failed: { first: 10, cap: 1_000_000, next: 'send', endsWithKind: true },
  missing: { first: 1000, cap: 600_000, next: 'plan' },
  refused: { first: 60_000, cap: 600_000, next: 'plan', endsWithVersion: true },
  forbidden: { first: 5000, cap: 60_000, next: 'send' },
  unauthorized: { first: 5000, cap: 60_000, next: 'send', endsWithKind: true, spreads: 'kind' },
  throttled: { first: 1000, cap: 30_000, next: 'send', spreads: 'server' },
  unreachable: { first: 1000, cap: 30_000, next: 'send', isShared: true },
  restored: { first: 1000, cap: 300_000, next: 'plan' },
};
