/**
 * The concerns of requests that policies can serve. The list is closed: a difference between systems, such as JWT and
 * OIDC, is an aspect of a field.
 */
export const concernNames = [
  'authentication',
  'authorization',
  'client-tls',
  'client-certificate',
  'backend-tls',
  'mesh-mtls',
  'rate-limit',
  'waf',
  'cors',
  'csrf',
  'request-size',
  'overload',
  'ai-guard',
  'backend-auth',
  'timeout',
  'retry',
  'circuit-breaking',
  'health-check',
  'load-balancing',
  'headers',
  'rewrite',
  'mirror',
  'compression',
  'caching',
  'fault-injection',
  'dns',
  'observability',
  'custom',
] as const;

/** The name of a concern: `authentication`. `custom` is own code, such as Wasm, which can serve any concern. */
export type ConcernName = (typeof concernNames)[number];

/**
 * Why a field in force does not protect fully: only some requests (`part`), clients without credentials pass (`optional`), violations are counted and not
 * refused (`report-only`), requests pass while a service fails (`fail-open`), encrypted to anybody (`unverified`), an identity that the client
 * states itself
 * (`trusting`), anybody is allowed (`wide`), TLS that the Gateway does not open (`passthrough`), or not known (`unknown`).
 */
export type Weakness =
  | 'part'
  | 'optional'
  | 'report-only'
  | 'fail-open'
  | 'unverified'
  | 'trusting'
  | 'wide'
  | 'passthrough'
  | 'unknown';

/** A field of a spec that serves a concern. Conditions are written in CEL, and read the spec as `spec`. */
export interface ConcernField {
  readonly concern: ConcernName;
  /** JSON Pointer from the root of the spec; `*` stands for any item or key: `/jwt`. */
  readonly pointer: string;
  /** How the concern is served: `jwt`. With `external`, a service decides, and its checks are unknown. Default: not distinguished. */
  readonly aspect?: string;
  /**
   * The effect of the field on the concern: it puts it in force (`serves`, the default), makes another kind's field strict (`completes`), changes how
   * it is in force (`shapes`), can only switch it off (`disables`), names an object that decides (`refers`), or only looks like it (`none`).
   */
  readonly role?: 'serves' | 'completes' | 'shapes' | 'disables' | 'refers' | 'none';
  /** When the field is in force. Default: if it is set, and neither `false` nor an empty list. */
  readonly inForce?: string;
  /** The reasons why the field can be in force only in part, each with its condition. Default of the condition: its own field is set. */
  readonly weak?: readonly { readonly effect: Weakness; readonly pointer: string; readonly when?: string }[];
  /** The ways to switch the concern off, each with the condition for it. */
  readonly off?: readonly { readonly pointer: string; readonly when: string }[];
  /** The object that the field names, and without which it does nothing: where the reference is in the spec, and the kind that it means. Default: none. */
  readonly names?: { readonly pointer: string; readonly group: string; readonly kind: string };
  /** The source of the facts: the schema of the kind (the default), its documentation alone, or none (`unknown`). */
  readonly certainty?: 'docs' | 'unknown';
}
