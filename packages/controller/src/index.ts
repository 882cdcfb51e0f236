export type {
  EffectivePoliciesChange,
  KindTolerance,
  PolicyControllerOptions,
  StatusOptions,
} from './lib/controller-options.ts';
export { createPolicyController } from './lib/create-policy-controller.ts';
export type { Logger } from './lib/log/logger.ts';
export type { PolicyController } from './lib/loop/policy-controller.ts';
export { type HeldUpBy, heldUpBy } from './lib/sources/barrier.ts';
export type { QuarantinedObject } from './lib/sources/quarantine.ts';
