import type { AdmissionReviewResponse } from '@policy-machinery/policy-status';

/** The beginning of a warning about the webhook itself, which names nothing. */
export const notReviewed = 'This change was not reviewed: ';

/** Returns an answer for anyone: how many warnings there are, and whether the change is refused, but no names of policies and targets. */
export function withoutNames({ response, ...review }: AdmissionReviewResponse): AdmissionReviewResponse {
  const { warnings = [], status, ...rest } = response;
  const own = warnings.filter((warning) => warning.startsWith(notReviewed));
  const others = warnings.length - own.length;
  const effects = others === 1 ? '1 effect' : `${others} effects`;
  const told =
    others === 0
      ? own
      : [...own, `This change has ${effects} on policies, or of policies on it (names only for the API server).`];
  return {
    ...review,
    response: {
      ...rest,
      ...(told.length === 0 ? {} : { warnings: told }),
      ...(status === undefined
        ? {}
        : { status: { ...status, message: 'The policy would be in conflict with another one.' } }),
    },
  };
}
