export type { ManifestText } from './lib/manifests/documents.ts';
export type { ManifestLimits } from './lib/manifests/limits.ts';
export { type ManifestOptions, type Manifests, parseManifests } from './lib/manifests/manifests.ts';
