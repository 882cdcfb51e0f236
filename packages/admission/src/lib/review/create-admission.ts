import { EffectivePolicies } from '@policy-machinery/effective-policy';
import { type Guarantee, guaranteeIssues, verifiedKind } from '@policy-machinery/guarantees';
import { PolicyMachineryError } from '@policy-machinery/resource';
import { Admission } from './admission.ts';
import type { AdmissionOptions } from './admission-options.ts';

/**
 * Creates an admission webhook. It warns people who change policies, routes or Gateways of the effects before the change is applied.
 *
 * It keeps a second topology in memory (see `createTrial`), so that the cost of a review depends on the change alone. Every replica can answer, the
 * leader or not, once all objects are known. An error never blocks a change.
 *
 * @param options The effective policies, the contents of warnings, and the changes to refuse.
 * @returns The webhook: call its `review`, mount its `fetch`, or serve it with `serveAdmission` of `@policy-machinery/admission/node`.
 * @throws {PolicyMachineryError} `different-topologies`, if the views belong to several topologies, or there are none; `invalid-guarantee`, if a
 * guarantee is faulty.
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
  const { isReady = () => true, timeout = 1500, maxBytes = 7 * 2 ** 20, metrics, onError, ...others } = options;
  const {
    maxTotalBytes = 2 * maxBytes,
    senders = 'anyone',
    guarantees,
    requests = {},
    refuse,
    undecided = 'refuse',
    ...answer
  } = others;
  const views = listOf(options.views);
  const refused = new Set([refuse ?? []].flat());
  if (guarantees !== undefined && typeof guarantees !== 'function') check(guarantees, views);
  return Admission.make({
    views,
    isReady,
    timeout,
    maxBytes,
    maxTotalBytes,
    senders,
    metrics,
    onError: onError ?? (() => {}),
    answer: { ...answer, refuse: refused.has('conflicts') ? 'conflicts' : 'nothing' },
    guarantees: guarantees && {
      guarantees: typeof guarantees === 'function' ? guarantees : () => guarantees,
      requests,
      refused: new Set(refused.has('broken-guarantees') ? answers[undecided] : []),
      names: answer.names ?? 'own-namespace',
    },
  });
}

/** The answers that lead to a refusal. */
const answers = { refuse: ['broken', 'undecided'], warn: ['broken'] } as const;

function check(guarantees: readonly Guarantee[], views: readonly EffectivePolicies<unknown>[]): void {
  const issues = guaranteeIssues(guarantees, { kinds: views.map((view) => verifiedKind(view)) });
  if (issues.length > 0) throw new PolicyMachineryError('invalid-guarantee', 'The guarantees cannot be used', issues);
}

function listOf(views: AdmissionOptions['views']): readonly EffectivePolicies<unknown>[] {
  return views instanceof EffectivePolicies ? [views] : views;
}
