import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { type Colors, formatEffectivePolicy } from '@policy-machinery/text';
import { createTopology } from '@policy-machinery/topology';
import type { App, Chart } from 'cdk8s';
import { TimeoutPolicy } from '../../quickstart/src/policy-kinds.ts';

/** Returns what applies to each rule of the charts, before anything is deployed. */
export function report(app: App, colors: Colors): string {
  const objects = app.charts.flatMap((chart: Chart) => chart.toJson());
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
  topology.apply({ upsert: objects });
  return [...effectivePolicies(topology, TimeoutPolicy)]
    .map((policy) => `${formatEffectivePolicy(policy, { colors })}\n`)
    .join('\n');
}
