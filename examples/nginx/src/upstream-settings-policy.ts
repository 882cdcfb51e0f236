import { Service } from '@policy-machinery/gateway-api';
import { definePolicyKind, nginxGatewayFabric } from '@policy-machinery/policy-kind';
import { z } from 'zod';

/** How NGINX connects to the backends of a Service: some of the fields of `v1alpha1`. */
export const UpstreamSettingsPolicy = definePolicyKind({
  ...nginxGatewayFabric(),
  group: 'gateway.nginx.org',
  version: 'v1alpha1',
  kind: 'UpstreamSettingsPolicy',
  targets: [Service],
  spec: z.strictObject({ zoneSize: z.string(), keepAlive: z.strictObject({ connections: z.int() }) }).partial(),
});
