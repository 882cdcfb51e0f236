import { type Guarantee, verifiedKind, verify } from '@policy-machinery/guarantees';
import { type KubernetesObject, specOf } from '@policy-machinery/resource';
import { type WideGatewayOptions, wideGateway } from '@policy-machinery/workload';
import { asListed } from './as-listed.ts';
import { Controller } from './controller.ts';
import { collectGarbage, medians, repeated, timedOnCpu } from './measure.ts';

/** The CPU time of one verified guarantee, in milliseconds. */
export interface Verifying {
  /** Load: apply, contexts, and the spec and origins of every effective policy. */
  readonly load: number;
  /** The first verdict of a process that has all of these. */
  readonly verify: number;
}

const guarantee: Guarantee = {
  name: 'limited',
  holds: '!has(policies.TrafficPolicy) || !has(policies.TrafficPolicy.spec.retries) || has(rule.spec.backendRefs)',
};

/** The costs of a guarantee, by the shape of the cluster. */
export interface MeasuredGuarantees {
  /** 1,000 routes on one listener. */
  readonly thousand: Verifying;
  /** 10,000 routes on one listener. */
  readonly tenThousand: Verifying;
  /** 1,000 routes on each of 64 listeners. */
  readonly wide: Verifying;
}

/** Measures a guarantee in clusters of several shapes. */
export function measureGuarantees(): MeasuredGuarantees {
  return {
    thousand: measureVerifying({ listeners: 1, routes: 1_000 }),
    tenThousand: measureVerifying({ listeners: 1, routes: 10_000 }),
    wide: measureVerifying({ listeners: 64, routes: 1_000 }),
  };
}

/**
 * Measures how long a guarantee about all requests takes that reads policies and rules.
 *
 * @param size The number of listeners, and of routes on all of them.
 */
function measureVerifying(size: WideGatewayOptions): Verifying {
  const { resources, ...kinds } = wideGateway(size);
  const text = JSON.stringify(asListed(resources.map(withHostname)));
  return medians(repeated(5, () => verifyOnce(kinds, text, (size.listeners ?? 64) * (size.routes ?? 1000))));
}

/** Gives a route a hostname of its own: otherwise the oldest route takes all requests, and no other one is considered. */
function withHostname(resource: KubernetesObject): KubernetesObject {
  if (resource.kind !== 'HTTPRoute') return resource;
  return { ...resource, spec: { ...specOf(resource), hostnames: [`${resource.metadata.name}.example.com`] } };
}

function verifyOnce(
  kinds: Pick<ReturnType<typeof wideGateway>, 'targetKinds' | 'policyKinds'>,
  text: string,
  classes: number,
) {
  const upsert: readonly KubernetesObject[] = JSON.parse(text);
  const controller = new Controller(kinds);
  collectGarbage();
  const { ms: load } = timedOnCpu(() => {
    controller.topology.apply({ upsert });
    controller.makeViews();
    controller.readSpecs();
  });
  const input = { topology: controller.topology, kinds: controller.views.map((view) => verifiedKind(view)) };
  collectGarbage();
  const { ms, result } = timedOnCpu(() => verify(input, [guarantee]));
  if (result[0]?.classes !== classes) throw new Error('Not all requests were considered: nothing was measured');
  return { load, verify: ms };
}
