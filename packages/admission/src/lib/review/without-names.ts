import type { AdmissionReviewResponse } from '@policy-machinery/policy-status';
import { brokenGuarantee } from './guarantee-review.ts';

/** The beginning of a warning about the webhook itself, which names nothing. */
export const notReviewed = 'This change was not reviewed: ';

const inConflict = 'The policy would be in conflict with another one.';
const brokenOne = 'This change would break a guarantee (its name only for the API server).';

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
      ...(status === undefined ? {} : { status: statusWithoutNames(status) }),
    },
  };
}

type Status = NonNullable<AdmissionReviewResponse['response']['status']>;

/** Returns the status of a refusal with the reasons of its causes, and without their messages. */
function statusWithoutNames({ details, ...status }: Status): Status {
  const broken = details?.causes.filter(({ reason }) => reason === brokenGuarantee) ?? [];
  if (broken.length === 0) return { ...status, message: inConflict };
  const causes = broken.map(({ reason }) => ({ reason, message: brokenOne }));
  return { ...status, message: brokenOne, details: { causes } };
}
