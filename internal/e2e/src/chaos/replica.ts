// A controller in a process of its own, which a test may kill. Its first line of output says that it runs; SIGUSR2 makes it print its state.

import { connect } from '@policy-machinery/cluster';
import { createPolicyController } from '@policy-machinery/controller';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { jsonLogger } from '@policy-machinery/observability';
import { promClient } from '@policy-machinery/observability/prom-client';
import { register } from 'prom-client';
import { TimeoutPolicy } from '../shop.ts';
import { controllerName, leaseTimes } from './settings.ts';
import { stateOf } from './state.ts';

const { KUBECONFIG: kubeconfig = '', NAME: identity = '', PORT = '' } = process.env;
const connection = await connect({ kubeconfig, userAgent: identity });
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());

const controller = createPolicyController({
  name: controllerName,
  connection,
  targetKinds: gatewayApi(),
  policyKinds: [TimeoutPolicy],
  writes: { perSecond: 500, burst: 500 },
  lease: { namespace: 'chaos', name: 'chaos', identity, ...leaseTimes },
  probes: { port: Number(PORT), host: '127.0.0.1' },
  metrics: promClient(register),
  log: jsonLogger({ level: 'warn' }),
});
process.on('SIGUSR2', () => console.log(stateOf(controller.topology)));

const running = controller.run({ signal: stopping.signal });
console.log('running');
await running;
connection.close?.();
