export { podsNamedAfter, podTemplates } from './lib/kinds/pod.ts';
export {
  type ListenerMatch,
  listenerMatches,
  type MatchCondition,
} from './lib/request/listener-matches.ts';
export { serviceListeners } from './lib/request/mesh-listeners.ts';
export { requestPaths, requestPathsOf } from './lib/request/request-paths.ts';
