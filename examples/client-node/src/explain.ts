import { KubeConfig } from '@kubernetes/client-node';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { formatIssue } from '@policy-machinery/resource';
import { colorsFor, formatEffectivePolicy } from '@policy-machinery/text';
import { createTopology } from '@policy-machinery/topology';
import { TimeoutPolicy } from '../../quickstart/src/policy-kinds.ts';
import { followCluster } from './informers.ts';

const config = new KubeConfig();
config.loadFromDefault();

const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
const { feeds, stop } = await followCluster(config, topology, {
  pause: 5000,
  onStopped: (error) => console.error(`an informer stopped, and starts again in 5 seconds: ${error}`),
});

const colors = colorsFor(process.stdout, process.env);
for (const policy of effectivePolicies(topology, TimeoutPolicy)) console.log(formatEffectivePolicy(policy, { colors }));
for (const issue of [...topology.issues, ...feeds.flatMap(({ issues }) => issues)]) console.error(formatIssue(issue));
await stop();
