// checks/: the rules of GEP-713 that can be observed from outside. Takes a subject and a client. Returns if the rule holds, and throws if it does not.

import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import type { Client, ObjectName } from '../cluster/client.ts';
import type { PolicyUnderTest } from '../subject/policy-under-test.ts';

/** The groups of checks in a report. */
export const profileNames = [
  'POLICY-CORE',
  'POLICY-NONE',
  'POLICY-ATOMIC',
  'POLICY-PATCH',
  'POLICY-STATUS',
  'POLICY-DISCOVERABILITY',
  'POLICY-GRANTS',
] as const;

/** A group of checks. */
export type ProfileName = (typeof profileNames)[number];

/** One thing that an implementation must or should do. */
export interface Check {
  /** Stable and short: `target-not-found`. */
  readonly id: string;
  readonly profile: ProfileName;
  /** `MUST` and `SHOULD` are the GEP's words; a `CONVENTION` is one of Kubernetes' API. */
  readonly level: 'MUST' | 'SHOULD' | 'CONVENTION';
  /** The sentence of GEP-713, or of a convention of Kubernetes. */
  readonly sentence: string;
  /** The line of `geps/gep-713/index.md` in Gateway API v1.7.0; absent for conventions of Kubernetes. */
  readonly line?: number;
  /** Returns why the check does not apply to a subject; `undefined` if it does. */
  readonly skip: (subject: PolicyUnderTest) => string | undefined;
  /** Checks it. Throws a `CheckFailure` if it is not so. */
  readonly run: (context: CheckContext) => Promise<void>;
}

/** The dependencies of a check. */
export interface CheckContext {
  readonly subject: PolicyUnderTest;
  /** The namespace of the check, which is empty. */
  readonly client: Client;
  /** Another namespace. */
  readonly elsewhere: Client;
  /** How long nothing may happen before that counts as quiet, in milliseconds. */
  readonly quiet: number;
  /** Creates a policy. Returns the stored object. */
  readonly policy: (name: string, on: string, parts?: PolicyOptions) => Promise<KubernetesObject>;
  /** Returns the name of a policy of the kind under test. */
  readonly policyName: (name: string) => ObjectName;
}

/** How a policy differs from one with the first spec and the plainest strategy. */
export interface PolicyOptions {
  readonly strategy?: keyof PolicyUnderTest['strategies'] | undefined;
  readonly spec?: JsonObject | undefined;
  readonly targetNamespace?: string | undefined;
}
