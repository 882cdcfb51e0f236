import { EffectivePolicies } from '@policy-machinery/effective-policy';
import { Admission } from './admission.ts';
import type { AdmissionOptions } from './admission-options.ts';

/**
 * Creates an admission webhook. It warns people who change policies, routes or Gateways of the effects before the change is applied.
 *
 * It keeps a second topology in memory (see `createTrial`), so that a review costs what the change touches. Every replica can answer, the leader or
 * not, once all objects are known. An error never blocks a change.
 *
 * @param options The effective policies, and what to warn of and to refuse.
 * @returns The webhook: call its `review`, mount its `fetch`, or serve it with `serveAdmission` of `@policy-machinery/admission/node`.
 * @throws {PolicyMachineryError} `different-topologies`, if the views belong to several topologies, or there are none.
 * @example
 * ```ts
 * const admission = createAdmission({
 *   views: controller.effective(TimeoutPolicy),
 *   isReady: () => controller.isSynced,
 *   refuse: 'conflicts',
 * });
 * ```
 */
export function createAdmission(options: AdmissionOptions): Admission {
  const { views, isReady = () => true, timeout = 1500, maxBytes = 7 * 2 ** 20, metrics, onError, ...others } = options;
  const { maxTotalBytes = 2 * maxBytes, senders = 'anyone', ...answer } = others;
  return Admission.make({
    views: listOf(views),
    isReady,
    timeout,
    maxBytes,
    maxTotalBytes,
    senders,
    metrics,
    onError: onError ?? (() => {}),
    answer: { refuse: 'nothing', ...answer },
  });
}

function listOf(views: AdmissionOptions['views']): readonly EffectivePolicies<unknown>[] {
  return views instanceof EffectivePolicies ? [views] : views;
}
