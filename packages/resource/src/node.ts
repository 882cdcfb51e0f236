export { decodeText } from './lib/manifests/decode-text.ts';
export {
  type ReadManifestsOptions,
  readManifests,
  readTextFile,
} from './lib/manifests/read-manifests.ts';
