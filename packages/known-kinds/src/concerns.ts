export { type Concern, concerns } from './lib/concerns/concerns.ts';
export { concernsOf, kindConcerns } from './lib/concerns/concerns-of.ts';
export type { KindConcerns } from './lib/concerns/kind-concerns.ts';
export { type UnreadConcerns, unreadConcerns } from './lib/concerns/unread-concerns.ts';
