export { manifestFilesAt, type ReadManifestsOptions, readManifests } from './lib/manifests/read-manifests.ts';
