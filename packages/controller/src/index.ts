export type {
  DebugOptions,
  EffectivePoliciesChange,
  KindSelection,
  KindTolerance,
  OwnedKind,
  PolicyControllerOptions,
  ProbeOptions,
  StatusOptions,
} from './lib/controller-options.ts';
export { createPolicyController } from './lib/create-policy-controller.ts';
export type { ContentOf } from './lib/effective/content.ts';
export type { ConfigurationUnit, TargetContext } from './lib/effective/target-context.ts';
export type { TargetFailure } from './lib/effective/target-failure.ts';
export type { GuaranteeChange, GuaranteeOptions } from './lib/guarantees/guarantee-options.ts';
export {
  type ConfiguredKind,
  type ControlledKind,
  configured,
  type KindOptions,
  type SpecOf,
} from './lib/kinds/configured-kind.ts';
export { PolicyController } from './lib/loop/policy-controller.ts';
export type { DeploymentOptions, WebhookOptions } from './lib/manifests/deployment.ts';
export { policyManifests } from './lib/manifests/policy-manifests.ts';
export type { DeclaredController } from './lib/manifests/rights.ts';
export { instrumentTable } from './lib/metrics/instruments.ts';
export { type HeldUpBy, heldUpBy } from './lib/sources/barrier.ts';
export type { QuarantinedObject } from './lib/sources/quarantine.ts';
export type { ChangedObject, ObjectReader, ReadKind, SelectedObjects, Watch } from './lib/watches/watch.ts';
