import type { Clock, Transport } from '@policy-machinery/cluster';
import {
  configured,
  createPolicyController,
  type PolicyController,
  type TargetFailure,
} from '@policy-machinery/controller';
import { gatewayApi, Secret } from '@policy-machinery/gateway-api';
import type { Logger } from '@policy-machinery/observability';
import { parseLocator } from '@policy-machinery/resource';
import { QuotaPolicy, TimeoutPolicy, TokenPolicy } from './policy-kinds.ts';

/** What the product runs on. */
export interface ProductOptions {
  readonly connection: Transport;
  readonly log: Logger;
  readonly clock?: Clock;
}

/** The longest timeout that the product's proxy supports, in seconds. */
const longestTimeout = 600;

/** Returns the product's controller: it writes statuses, and a ConfigMap for each route below each Gateway, whose proxies read it. */
export function createProduct(options: ProductOptions): PolicyController {
  return createPolicyController({
    ...options,
    name: 'product.example.com/controller',
    gatewaysOf: 'product.example.com/gateway',
    targetKinds: gatewayApi(),
    policyKinds: [
      TimeoutPolicy,
      QuotaPolicy,
      configured(TokenPolicy, {
        // A policy without its Secret is not in force: the routes keep what other policies say.
        verdict({ resource, layers }, objects) {
          const { namespace } = resource.metadata;
          const missing = layers.flatMap(({ spec: { secretName: name } }) =>
            name !== undefined && objects.get(Secret, { namespace, name }) === undefined ? [name] : [],
          );
          if (missing.length === 0) return undefined;
          return { reason: 'NoSecret', message: `The Secret ${missing.join(', ')} does not exist; create it.` };
        },
      }),
    ],
    watches: [{ kind: Secret, metadataOnly: true }],
    owns: [{ group: '', kind: 'ConfigMap' }],
    onEffective({ contexts, apply }) {
      const failures: TargetFailure[] = [];
      for (const context of contexts) {
        const { name, namespace = 'default' } = parseLocator(context.target);
        const timeouts = context.policy(TimeoutPolicy);
        const quotas = context.policy(QuotaPolicy);
        const tokens = context.policy(TokenPolicy);
        const settings = { ...timeouts?.spec, ...quotas?.spec, ...tokens?.spec };
        if (Number.parseInt(settings.request ?? '0', 10) > longestTimeout) {
          failures.push(context.failed(`The proxy waits for ${longestTimeout}s at most`));
          continue;
        }
        const data = Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, String(value)]));
        const metadata = { name: `${context.dataPlane.ref.name}-${name}-settings`, namespace };
        apply(context, Object.keys(data).length === 0 ? [] : [{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }]);
      }
      return failures;
    },
  });
}
