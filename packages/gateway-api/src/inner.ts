export { compareHostnameSpecificity } from './lib/fields/hostname.ts';
export { podsNamedAfter, podTemplates } from './lib/kinds/pod.ts';
export {
  type ListenerMatch,
  type ListenerMatches,
  listenerMatches,
  type MatchCondition,
} from './lib/request/listener-matches.ts';
export { type MeshEntry, serviceListeners } from './lib/request/mesh-listeners.ts';
export { type RequestPlace, requestPaths, requestPathsOf } from './lib/request/request-paths.ts';
