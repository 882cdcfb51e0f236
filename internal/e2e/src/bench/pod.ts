// The controller of `examples/controller` as it runs in a pod: with a service account, from the folder of the first argument.

import { createPolicyController } from '@policy-machinery/controller';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { jsonLogger } from '@policy-machinery/observability';
import { promClient } from '@policy-machinery/observability/prom-client';
import { collectDefaultMetrics, register } from 'prom-client';
import { RateLimitPolicy, TimeoutPolicy } from '../../../../examples/quickstart/src/policy-kinds.ts';
import { connectInCluster } from '../../../../packages/cluster/src/lib/connection/in-cluster.ts';

const [folder = ''] = process.argv.slice(2);
const { POD_NAME: identity = '', PROBES_PORT = '' } = process.env;
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());
collectDefaultMetrics({ register });
const connection = await connectInCluster({ folder, userAgent: identity });
const controller = createPolicyController({
  name: 'policies.shop.example.com/controller',
  connection,
  targetKinds: gatewayApi(),
  policyKinds: [TimeoutPolicy, RateLimitPolicy],
  writes: { perSecond: 100, burst: 200 },
  lease: { namespace: 'policies-system', identity },
  probes: { port: Number(PROBES_PORT), host: '127.0.0.1' },
  metrics: promClient(register),
  log: jsonLogger({ level: 'warn' }),
  onEffective() {},
});
const running = controller.run({ signal: stopping.signal });
console.log('running');
await running;
connection.close();
