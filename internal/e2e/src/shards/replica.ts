// One of several replicas that share a cluster, in a process of its own. Its first line of output says that it runs.

import { connect } from '@policy-machinery/cluster';
import { createPolicyController } from '@policy-machinery/controller';
import { jsonLogger } from '@policy-machinery/observability';
import { declared } from './settings.ts';

const { KUBECONFIG: kubeconfig = '', NAME: identity = '' } = process.env;
const connection = await connect({ kubeconfig, userAgent: identity });
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());

const controller = createPolicyController({
  ...declared,
  connection,
  shards: { ...declared.shards, identity },
  log: jsonLogger({ level: 'warn' }),
});
const running = controller.run({ signal: stopping.signal });
console.log('running');
await running;
connection.close?.();
