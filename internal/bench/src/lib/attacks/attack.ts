import type { HttpRequest, TraceOptions } from '@policy-machinery/gateway-api';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import type { TargetKind } from '@policy-machinery/topology';
import type { StageName } from './stages.ts';

/** An attack on time or memory: what one tenant can write, most of it with namespaces of its own alone. */
export interface Attack {
  readonly name: string;
  /** Three sizes, each about twice the one before; the last one makes about 1 MB, unless less does the harm. */
  readonly sizes: readonly [number, number, number];
  /** The policy kinds of the topology; each has a view. */
  readonly kinds: readonly PolicyKind<unknown>[];
  /** Default: those of `gatewayApi()`. */
  readonly targetKinds?: readonly TargetKind[];
  /** What the platform and other tenants have, which is there before. Default nothing. */
  readonly given?: readonly KubernetesObject[];
  /** What the attacker writes. */
  readonly hostile: (size: number) => readonly KubernetesObject[];
  /** What changes in the stage `change`. Default: an annotation of the attacker's last resource. */
  readonly change?: KubernetesObject;
  /** The stages to run, in this order. Default: `usualStages`. */
  readonly stages?: readonly StageName[];
  /** The target that the stage `explain` explains, by locator. */
  readonly explain?: string;
  /** The policies that the stage `impact` takes away, by locator. */
  readonly impact?: readonly string[];
  /** The request that the stage `trace` follows. */
  readonly request?: HttpRequest & Pick<TraceOptions, 'client'>;
}
