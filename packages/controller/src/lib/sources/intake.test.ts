import { type KubernetesObject, specOf } from '@policy-machinery/resource';
import { createTopology, defineTargetKind } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { Intake } from './intake.ts';
import { Quarantine } from './quarantine.ts';

const group = 'roads.example.com';

/** A road leads on to another one. A road that leads back is refused. */
const Road = defineTargetKind({
  group,
  kind: 'Road',
  *references(road) {
    const { to } = specOf(road);
    if (typeof to === 'string') yield { direction: 'down', to: { group, kind: 'Road', name: to }, pointer: '/spec/to' };
  },
});

const road = (name: string, to?: string): KubernetesObject => {
  return {
    apiVersion: `${group}/v1`,
    kind: 'Road',
    metadata: { name, namespace: 'here' },
    spec: to === undefined ? {} : { to },
  };
};
const locator = (name: string) => `road.${group}:here/${name}`;

function createIntake() {
  const topology = createTopology({ targetKinds: [Road] });
  const quarantine = new Quarantine();
  const intake = new Intake(topology, quarantine);
  const quarantined = () => quarantine.objects.map((it) => it.locator).sort();
  return {
    topology,
    quarantine,
    quarantined,
    apply: (upsert: KubernetesObject[], remove: string[] = []) => intake.apply({ upsert, remove }),
  };
}

describe('an object that the topology refuses', () => {
  it('is quarantined with the reason, and costs no other object its change', async () => {
    const { topology, quarantine, apply } = createIntake();
    await apply([road('a', 'b'), road('b')]);
    await apply([road('c', 'a'), road('b', 'a'), road('d', 'c')]);
    expect(quarantine.objects).toMatchObject([
      { locator: locator('b'), message: expect.stringContaining('remove one of the references') },
    ]);
    expect(topology.children(locator('c')).map(({ ref }) => ref.name)).toEqual(['a']);
    expect(topology.children(locator('d')).map(({ ref }) => ref.name)).toEqual(['c']);
    expect(topology.children(locator('b'))).toEqual([]); // Its last good version.
  });

  it('is taken when it is mended, and forgotten when it is deleted', async () => {
    const { topology, quarantined, apply } = createIntake();
    await apply([road('a', 'b'), road('b', 'a'), road('c', 'c')]);
    expect(quarantined()).toHaveLength(2);
    await apply([road('a', 'b'), road('b')], [locator('c')]);
    expect(quarantined()).toEqual([]);
    expect(topology.get(locator('b'))).toBeDefined();
    expect(topology.get(locator('c'))).toBeUndefined();
  });

  it('does not prevent the deletion of objects in the same change', async () => {
    const { topology, apply } = createIntake();
    await apply([road('a'), road('b')]);
    await apply([road('b', 'b')], [locator('a')]);
    expect(topology.get(locator('a'))).toBeUndefined();
  });

  it('is in the topology or in quarantine, after any changes', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const change = fc.array(
      fc.record({ name: fc.constantFrom(...names), to: fc.option(fc.constantFrom(...names), { nil: undefined }) }),
      {
        maxLength: 6,
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 5 }), async (changes) => {
        const { topology, quarantined, apply } = createIntake();
        const last = new Map<string, KubernetesObject>();
        for (const each of changes) {
          const objects = new Map(each.map(({ name, to }) => [name, road(name, to)]));
          await apply([...objects.values()]);
          for (const [name, object] of objects) last.set(name, object);
        }
        for (const [name, object] of last) {
          expect(topology.get(locator(name))?.resource === object || quarantined().includes(locator(name))).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('a change during which the topology fails', () => {
  it('is taken with the next one, which has newer versions', async () => {
    const { topology, apply } = createIntake();
    await apply([road('old')]);
    const failing = vi.spyOn(topology, 'applyInSlices').mockImplementation(() => {
      throw new TypeError('a kind has a bug');
    });
    await expect(apply([road('a'), road('b')], [locator('old')])).rejects.toThrow('a kind has a bug');
    await expect(apply([road('c')], [locator('b')])).rejects.toThrow('a kind has a bug');
    failing.mockRestore();
    await apply([road('a', 'c')]);
    expect([...topology.targets].map((it) => it.locator).sort()).toEqual([locator('a'), locator('c')]);
    expect(topology.children(locator('a')).map(({ ref }) => ref.name)).toEqual(['c']);
  });
});
