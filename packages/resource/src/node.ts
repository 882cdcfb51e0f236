export {
  manifestFilesAt,
  type ReadManifestsOptions,
  readManifests,
  readTextFile,
} from './lib/manifests/read-manifests.ts';
