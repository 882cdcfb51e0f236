export { decodeText } from './lib/manifests/decode-text.ts';
export {
  manifestFilesAt,
  type ReadManifestsOptions,
  readManifests,
  readTextFile,
} from './lib/manifests/read-manifests.ts';
