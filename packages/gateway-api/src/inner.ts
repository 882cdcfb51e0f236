export { compareHostnameSpecificity } from './lib/fields/hostname.ts';
export { podsNamedAfter, podTemplates } from './lib/kinds/pod.ts';
export { listenerMatches } from './lib/request/listener-matches.ts';
export { serviceListeners } from './lib/request/mesh-listeners.ts';
export { requestPaths, requestPathsOf } from './lib/request/request-paths.ts';
