export type { ChangedField } from './lib/impact/changed-fields.ts';
export { type EffectiveChange, type Impact, impact } from './lib/impact/impact.ts';
export type { OutcomeChange } from './lib/impact/impact-on-kind.ts';
