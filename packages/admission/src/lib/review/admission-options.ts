import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { ContestOptions, Guarantee } from '@policy-machinery/guarantees';
import type { Meter } from '@policy-machinery/observability';
import type { Complete } from '@policy-machinery/resource/inner';
import type { AdmissionAnswerOptions } from '../answer/admission-review.ts';
import type { GuaranteeReviewOptions } from './guarantee-review.ts';

/** The changes that a webhook can refuse. */
export type Refused = 'conflicts' | 'broken-guarantees';

/** The options of an admission webhook. */
export interface AdmissionOptions extends Omit<AdmissionAnswerOptions, 'refuse'> {
  /** The effective policies that changes are tried on, of one kind or of several of the same topology: `controller.effective(TimeoutPolicy)`. */
  readonly views: EffectivePolicies<unknown> | readonly EffectivePolicies<unknown>[];
  /**
   * Returns whether all objects are known, so that reviews are true: `() => controller.isSynced`. Until then, everything is allowed. Default: they
   * always are.
   */
  readonly isReady?: (() => boolean) | undefined;
  /**
   * The refused changes: a policy that a request brings into conflict (`conflicts`), a change that breaks a guarantee for requests that it held for
   * (`broken-guarantees`), a list of these, or nothing (the default). A refusal is final for its sender, so refuse only changes that
   * people can correct.
   */
  readonly refuse?: 'nothing' | Refused | readonly Refused[] | undefined;
  /**
   * The guarantees for every request: guarantees, or a function that returns the present ones, such as the cluster's,
   * `() => controller.guarantees`. A change that breaks one leads to a warning, or is refused. Default: none.
   */
  readonly guarantees?: readonly Guarantee[] | (() => readonly Guarantee[]) | undefined;
  /**
   * The answer to a change that leaves a guarantee undecided for further requests, such as a route with a regular
   * expression: it is refused like one that breaks the guarantee (`refuse`, the default), or leads to a warning (`warn`).
   */
  readonly undecided?: 'refuse' | 'warn' | undefined;
  /** How guarantees treat the choices that Gateway API leaves to implementations, such as regular expressions. */
  readonly requests?: ContestOptions | undefined;
  /** How long a review waits for computations that it needs and for other reviews, in milliseconds. Default: 1,500, for a webhook with `timeoutSeconds: 2`. */
  readonly timeout?: number | undefined;
  /** The largest body of a request, in bytes. Default 7 MiB, more than twice the limit of the API server for its clients. */
  readonly maxBytes?: number | undefined;
  /**
   * The bytes of all bodies that are held at once. If more arrive, the largest body gives way, and its sender gets the status 503. Default: twice
   * `maxBytes`.
   */
  readonly maxTotalBytes?: number | undefined;
  /**
   * Who can send requests to `fetch`: `anyone` who reaches the port (the default), or the `api-server` alone, because a NetworkPolicy or a proxy with
   * client certificates admits no other. An answer for anyone does not contain names, because a Pod can send a review about another's namespace;
   * unless the sender has proved to be the API server by a certificate: see `clients` of `serveAdmission`.
   */
  readonly senders?: 'anyone' | 'api-server' | undefined;
  /** Takes metrics: the controller's meter. Default: none. */
  readonly metrics?: Meter | undefined;
  /** Takes errors of reviews, for a log. Default: they are only counted. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The options with all defaults. */
export interface AdmissionSettings
  extends Complete<
    Pick<AdmissionOptions, 'isReady' | 'timeout' | 'maxBytes' | 'maxTotalBytes' | 'senders' | 'onError'>
  > {
  readonly metrics: Meter | undefined;
  readonly views: readonly EffectivePolicies<unknown>[];
  readonly answer: AdmissionAnswerOptions;
  /** How guarantees are reviewed; `undefined` if there are none. */
  readonly guarantees: GuaranteeReviewOptions | undefined;
}
