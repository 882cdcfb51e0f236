export { locatorOfGuarantee } from './lib/model/read-guarantee.ts';
export { comparable } from './lib/verify/comparable.ts';
export { destinationsOf } from './lib/verify/destinations.ts';
export { formatMet, formatOther, formatPolicies, formatTaker } from './lib/verify/format-verdict.ts';
export { notKnownAbout } from './lib/verify/not-known-about.ts';
export { possibleAttachments } from './lib/verify/possible-attachments.ts';
export { httpRequestOf, urlOf } from './lib/verify/replay.ts';
export { causingPolicy, resultsOf } from './lib/verify/results.ts';
export { withNotKnown } from './lib/verify/verify-requests.ts';
