import type { AdmissionReviewResponse } from '../answer/admission-envelope.ts';
import { brokenGuarantee } from './guarantee-review.ts';

const notReviewed = 'This change was not reviewed: ';

/** The warnings about changes that are allowed without a review, by reason. */
export const unreviewed = {
  unready: `${notReviewed}the webhook is starting, and does not know all objects yet.`,
  late: `${notReviewed}the webhook is still computing the effects of earlier changes.`,
  busy: `${notReviewed}the webhook has more changes to review than it has time for.`,
  failed: `${notReviewed}the webhook has failed; see its log.`,
} as const;

/** The warnings that anyone may read. */
const forAnyone: ReadonlySet<string> = new Set(Object.values(unreviewed));

const refusedByTopology = `${notReviewed}its object is invalid (the reason only for the API server).`;
const inConflict = 'The policy would be in conflict with another one.';
const brokenOne = 'This change would break a guarantee (its name only for the API server).';

/** Returns an answer for anyone: how many warnings there are, and whether the change is refused, but no names of policies and targets. */
export function withoutNames({ response, ...review }: AdmissionReviewResponse): AdmissionReviewResponse {
  const { warnings = [], status, ...rest } = response;
  const publicWarnings = warnings.flatMap((warning) => {
    if (forAnyone.has(warning)) return [warning];
    return warning.startsWith(notReviewed) ? [refusedByTopology] : [];
  });
  const count = warnings.length - publicWarnings.length;
  const effects = count === 1 ? '1 effect' : `${count} effects`;
  const counted = `This change has ${effects} on policies, or of policies on it (names only for the API server).`;
  const shown = count === 0 ? publicWarnings : [...publicWarnings, counted];
  return {
    ...review,
    response: {
      ...rest,
      ...(shown.length === 0 ? {} : { warnings: shown }),
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
