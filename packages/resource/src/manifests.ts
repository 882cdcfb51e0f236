export { createDocumentMemory, DocumentMemory } from './lib/manifests/document-memory.ts';
export type { ManifestLimits } from './lib/manifests/limits.ts';
export type { ManifestText } from './lib/manifests/manifest-text.ts';
export { type ManifestOptions, type Manifests, parseManifests } from './lib/manifests/manifests.ts';
