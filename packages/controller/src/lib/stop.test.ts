import { gatewayApi } from '@policy-machinery/gateway-api';
import { guaranteeKind } from '@policy-machinery/guarantees';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EffectivePoliciesChange } from './controller-options.ts';
import { guaranteeLibrary } from './guarantees/guarantee-library.ts';
import { createWorld, route, shop, TimeoutPolicy } from './world.fixture.ts';

const finalizer = 'timeouts.example.com/cleanup';
const guarantee = {
  apiVersion: `${guaranteeKind.group}/${guaranteeKind.version}`,
  kind: guaranteeKind.kind,
  metadata: { name: 'timed' },
  spec: { holds: 'has(policies.TimeoutPolicy)' },
};
const menu = { ...route('menu', 'edge'), metadata: { name: 'menu', namespace: 'shop', finalizers: [finalizer] } };
const resources = ['timeoutpolicies/status', 'configmaps', 'httproutes', 'guarantees/status'];
const lease = { namespace: 'shop', name: 'timeouts' };
const drain = 4000;

// The fake clock does not wait for files.
beforeAll(guaranteeLibrary);

describe('a stop while writes of statuses, owned objects, finalizers and guarantees fail', () => {
  it.each(['halfOpen', 'refuse', { status: 503 }, { status: 429 }] as const)(
    'takes no longer than the drain, releases the lease, and counts these writes: %j',
    async (fault) => {
      const world = createWorld({
        kinds: [...gatewayApi(), TimeoutPolicy, { ...guaranteeKind, versions: [guaranteeKind.version] }],
        objects: [...shop, menu, guarantee],
        controller: {
          lease,
          drain,
          owns: [{ group: '', kind: 'ConfigMap' }],
          finalizer,
          guarantees: {},
          onEffective({ contexts, apply }: EffectivePoliciesChange) {
            for (const context of contexts) {
              const name = context.target.slice(context.target.lastIndexOf('/') + 1);
              apply(context, [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' } }]);
            }
          },
        },
      });
      for (const resource of resources)
        world.server.addFaults({ at: `patch ${resource}`, times: 1_000_000, do: fault });
      const { running, stop } = world.start();
      let endedAt = Number.POSITIVE_INFINITY;
      void running.then(() => {
        endedAt = world.clock.monotonic();
      });
      await world.settle(5000);
      const stoppedAt = world.clock.monotonic();
      await stop();
      expect(endedAt - stoppedAt).toBeLessThanOrEqual(drain);
      expect(world.server.get('lease.coordination.k8s.io:shop/timeouts')?.spec).toMatchObject({ holderIdentity: '' });
      expect(world.logged.at(-1)).toMatch(/^info: stopped \{"left":[45]\}$/);
    },
  );
});
