import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { defineTargetKind } from '../model/define-target-kind.ts';
import { createTopology } from '../topology.ts';

const group = 'garden.example.com';

/** Beds say which fields of theirs cannot be read. */
const Bed = defineTargetKind({
  group,
  kind: 'Bed',
  faults({ spec }) {
    if (spec === 'weeds') throw new Error('too many weeds');
    return (spec as readonly string[]).map((field) => ({ pointer: `/spec/${field}`, message: `${field} is no plant` }));
  },
});

const bed = (name: string, spec: unknown = []): KubernetesObject => ({
  apiVersion: `${group}/v1`,
  kind: 'Bed',
  metadata: { name, namespace: 'south' },
  spec,
});

const garden = (...upsert: readonly KubernetesObject[]) => {
  const topology = createTopology({ targetKinds: [Bed] });
  topology.apply({ upsert });
  return topology;
};

describe('TargetKindDefinition.faults', () => {
  it('reports each field that cannot be read', () => {
    const topology = garden(bed('peas', ['stone']), bed('mint'));
    const issue = {
      code: 'unreadable-field',
      severity: 'error',
      message: 'stone is no plant',
      resource: 'bed.garden.example.com:south/peas',
      pointer: '/spec/stone',
    };
    expect(topology.issues).toEqual([issue]);
    expect(topology.issuesAbout('bed.garden.example.com:south/peas')).toEqual([issue]);
    expect(topology.issuesAbout('bed.garden.example.com:south/mint')).toEqual([]);
  });

  it('follows the resource', () => {
    const topology = garden(bed('peas', ['stone']));
    topology.apply({ upsert: [bed('peas', ['bottle'])] });
    expect(topology.issues.map(({ pointer }) => pointer)).toEqual(['/spec/bottle']);
    topology.apply({ upsert: [bed('peas')] });
    expect(topology.issues).toEqual([]);
    topology.apply({ upsert: [bed('peas', ['stone'])] });
    topology.apply({ remove: ['bed.garden.example.com:south/peas'] });
    expect(topology.issues).toEqual([]);
  });

  it('reports the first 16 fields of a resource, and the number of others', () => {
    const { issues } = garden(
      bed(
        'peas',
        Array.from({ length: 20 }, (_, index) => `stone-${index}`),
      ),
    );
    expect(issues).toHaveLength(17);
    expect(issues[0]?.message).toBe('4 more fields cannot be read; correct those that are reported first');
  });

  it('leaves out only its resource if it throws', () => {
    expect(garden(bed('peas', 'weeds'), bed('mint', ['stone'])).issues).toMatchObject([
      { code: 'unreadable-field', resource: 'bed.garden.example.com:south/mint' },
      { code: 'unreadable-resource', resource: 'bed.garden.example.com:south/peas' },
    ]);
  });

  it('finds the same issues after a large load, for one resource or all, and after later changes', () => {
    const many = Array.from({ length: 1001 }, (_, index) => bed(`b${index}`, index % 500 === 0 ? ['stone'] : []));
    const faulty = ['b0', 'b1000', 'b500'];
    const names = (topology: ReturnType<typeof garden>) =>
      topology.issues.map(({ resource }) => resource?.split('/')[1]);
    const locator = 'bed.garden.example.com:south/b500';
    expect(names(garden(...many))).toEqual(faulty);
    const topology = garden(...many);
    expect(topology.issuesAbout(locator)).toHaveLength(1);
    topology.apply({ upsert: [bed('b500')] });
    expect(topology.issuesAbout(locator)).toEqual([]);
    topology.apply({ upsert: [bed('b500', ['bottle'])], remove: ['bed.garden.example.com:south/b0'] });
    expect(names(topology)).toEqual(['b1000', 'b500']);
    topology.apply({ upsert: [bed('b7', ['stone'])] });
    expect(names(topology)).toEqual(['b1000', 'b500', 'b7']);
  });
});
