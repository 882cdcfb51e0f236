export type { AttachmentOptions } from './lib/kind/attachment-options.ts';
export { kindNameFault } from './lib/kind/kind-names.ts';
export { effectiveSecrets } from './lib/kind/secret-field.ts';
export { isAdditive } from './lib/stanzas/additive-spec.ts';
