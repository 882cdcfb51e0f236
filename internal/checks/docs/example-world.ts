// The objects that examples of declarations use without declaring them. They exist for the compiler only.

import type { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import type { Admission } from '@policy-machinery/admission';
import type { Connection, Sources } from '@policy-machinery/cluster';
import type { PolicyUnderTest } from '@policy-machinery/conformance';
import type { PolicyController, PolicyControllerOptions } from '@policy-machinery/controller';
import type { EffectivePolicies, Trial } from '@policy-machinery/effective-policy';
import type { Guarantee, VerifyInput } from '@policy-machinery/guarantees';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import type { StatusPlanner, StatusWrite } from '@policy-machinery/policy-status';
import type { GroupKind, KubernetesObject, ObjectLike } from '@policy-machinery/resource';
import type { FakeApiServer, FakeClock } from '@policy-machinery/testing';
import type { TargetKind, Topology, TopologyChange } from '@policy-machinery/topology';

export { readFileSync, writeFileSync } from 'node:fs';
export { setImmediate } from 'node:timers/promises';
export { makeInformer } from '@kubernetes/client-node';
export { expect } from 'vitest';
export { stringify } from 'yaml';

interface Timeouts {
  readonly request?: string;
  readonly idle?: string;
}

export declare const TimeoutPolicy: PolicyKind<Timeouts>;
export declare const TlsPolicy: PolicyKind<Timeouts>;
export declare const RateLimitPolicy: PolicyKind<Timeouts>;
export declare const AuthorizationPolicy: PolicyKind<Timeouts>;
export declare const kind: PolicyKind<unknown>;
export declare const targetKinds: readonly TargetKind[];
export declare const topology: Topology;
export declare const ingress: Topology;
export declare const gateways: Topology;
export declare const effective: EffectivePolicies<Timeouts>;
export declare const view: EffectivePolicies<Timeouts>;
export declare const trial: Trial<EffectivePolicies<Timeouts>>;
export declare const resources: readonly KubernetesObject[];
export declare const definitions: readonly KubernetesObject[];
export declare const definition: KubernetesObject;
export declare const policy: KubernetesObject;
export declare const items: readonly ObjectLike[];
export declare const server: FakeApiServer;
export declare const clock: FakeClock;
export declare const config: KubeConfig;
export declare const core: CoreV1Api;
export declare const policyRef: string;
export declare const route: KubernetesObject;
export declare const shop: KubernetesObject;
export declare const cart: KubernetesObject;
export declare const gateway: KubernetesObject;
export declare const change: TopologyChange;
export declare const guarantees: readonly Guarantee[];
export declare const main: VerifyInput;
export declare const branch: VerifyInput;
export declare const connection: Connection;
export declare const sources: Sources;
export declare const controller: PolicyController;
export declare const admission: Admission;
export declare const subject: PolicyUnderTest;
export declare const planner: StatusPlanner;
export declare const queue: StatusWrite[];
export declare const name: string;
export declare const text: string;
export declare const edited: string;
export declare const body: string;
export declare const signal: AbortSignal;
export declare const request: { readonly host: string; readonly path: string };
export declare const declared: Omit<PolicyControllerOptions<readonly [PolicyKind<Timeouts>]>, 'metrics' | 'traces'>;
export declare function listAll(kind: GroupKind): Promise<readonly KubernetesObject[]>;
export declare function plan(): void;
export declare function write(): Promise<void>;
export declare function send(write: StatusWrite): Promise<KubernetesObject>;
