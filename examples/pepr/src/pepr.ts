import { KubeConfig } from '@kubernetes/client-node';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { createTopology } from '@policy-machinery/topology';
import { Log, PeprModule } from 'pepr';
import { followCluster } from '../../client-node/src/informers.ts';
import { TimeoutPolicy } from '../../quickstart/src/policy-kinds.ts';
import cfg from '../package.json' with { type: 'json' };
import { policyCapability } from './capability.ts';

const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
let isReady = false;

/** Pepr loads this module, too, to find out what it registers. There is no cluster then. */
if (process.env.PEPR_MODE !== 'build') {
  const config = new KubeConfig();
  config.loadFromDefault();
  const onStopped = (error: unknown) => Log.warn({ error }, 'an informer stopped, and starts again');
  void followCluster(config, topology, { pause: 5000, onStopped }).then(() => {
    isReady = true;
  });
}

new PeprModule(cfg, [policyCapability(effectivePolicies(topology, TimeoutPolicy), () => isReady)]);
