export { clusterOf } from './lib/cluster-of.ts';
export { type CrowdedGatewayOptions, crowdedGateway } from './lib/crowded-gateway.ts';
export { type LadderOptions, ladder } from './lib/ladder.ts';
export { medley } from './lib/medley.ts';
export { propertySeed } from './lib/property-seed.ts';
export { createRandom, type Random } from './lib/random.ts';
export {
  commonEdits,
  type EditName,
  editNames,
  type RandomChange,
  type RandomChanges,
  type RandomChangesOptions,
  randomChanges,
} from './lib/random-changes.ts';
export { type SharedServiceOptions, sharedService } from './lib/shared-service.ts';
export { referenceSize, scaled, sizeOf, type WorkloadSize } from './lib/size.ts';
export { type WideGatewayOptions, wideGateway } from './lib/wide-gateway.ts';
export type { Workload } from './lib/workload.ts';
export { BackendPolicy, TrafficPolicy, workloadKinds } from './lib/workload-kinds.ts';
export type { SeedOptions } from './lib/world.ts';
