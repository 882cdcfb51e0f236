export { readTargetRefs, type TargetRefReading } from './lib/read-target-refs.ts';
export type { DeclaredTarget, TargetRef } from './lib/target-ref.ts';
