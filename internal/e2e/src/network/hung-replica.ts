// A controller in a process of its own, with a data plane that never answers. Its first line of output says that it waits for the answer.

import { connect } from '@policy-machinery/cluster';
import { createPolicyController } from '@policy-machinery/controller';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { namespace, TimeoutPolicy } from '../shop.ts';
import { controllerName } from './shop-controller.ts';

const { KUBECONFIG: kubeconfig = '', NAME: identity = '' } = process.env;
const connection = await connect({ kubeconfig });
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());
const controller = createPolicyController({
  name: controllerName,
  connection,
  targetKinds: gatewayApi(),
  policyKinds: [TimeoutPolicy],
  lease: { namespace, identity },
  onEffective() {
    console.log('called');
    return new Promise<void>(() => {});
  },
});
await controller.run({ signal: stopping.signal });
connection.close();
