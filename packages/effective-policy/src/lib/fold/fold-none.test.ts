import { none } from '@policy-machinery/merge';
import { bareSpec, definePolicyKind } from '@policy-machinery/policy-kind';
import { type KubernetesObject, specOf } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { anySpec, at, compute } from '../../conformance/policies.fixture.ts';
import { Artwork, Exhibition, museumKinds, museumResource } from '../../properties/museum.fixture.ts';
import { describeRule } from './rule.ts';

const definition = { group: 'care.example.com', version: 'v1', kind: 'CarePolicy', spec: anySpec };
const side = Artwork.sections.side ?? Artwork;
const artwork = museumResource('Artwork', 'lilies', 'east', { sections: [{ name: 'front' }, { name: 'back' }] });

function care(name: string, seconds: number, kind: string, target: string): KubernetesObject {
  const [object, sectionName] = target.split('#');
  const ref = {
    group: 'museum.example.com',
    kind,
    name: object,
    ...(sectionName === undefined ? {} : { sectionName }),
  };
  return {
    apiVersion: 'care.example.com/v1',
    kind: 'CarePolicy',
    metadata: { name, namespace: 'east', creationTimestamp: at(seconds) },
    spec: { targetRefs: [ref], by: name },
  };
}

describe('effectivePolicies of a kind that does not merge (None)', () => {
  const Direct = definePolicyKind({ ...definition, targets: [Artwork, side] });
  const outcome = (...policies: readonly KubernetesObject[]) => {
    const { effective } = compute(Direct, museumKinds, [artwork, ...policies]);
    return Object.fromEntries(
      [...effective].map(({ target, spec, losses }) => [
        target.ref.section ?? 'whole',
        [
          spec.by,
          ...losses.map(
            ({ layer, winners, rule }) => `${winners[0]?.policy.name} ${describeRule(rule)} [${layer.policy.name}]`,
          ),
        ],
      ]),
    );
  };

  it('is the default of a kind with one direct target (C-08)', () => {
    expect(Object.values(Direct.stanzas.strategies)).toEqual([none]);
  });

  it('keeps the oldest policy of a target, then the first by name (C-02, C-03, C-06)', () => {
    expect(outcome(care('p1', 1, 'Artwork', 'lilies'), care('p2', 0, 'Artwork', 'lilies'))).toMatchObject({
      whole: ['p2', 'east/p2 is older [east/p1]'],
    });
    expect(outcome(care('p2', 0, 'Artwork', 'lilies'), care('p1', 0, 'Artwork', 'lilies'))).toMatchObject({
      whole: ['p1', 'east/p1 is as old and first by name [east/p2]'],
    });
  });

  it("prefers the policy of a section there, and keeps the whole object's elsewhere, whichever is older (C-12, X-08)", () => {
    const expected = {
      whole: ['p1'],
      front: ['p2', 'east/p2 is more specific [east/p1]'],
      back: ['p1'],
    };
    expect(outcome(care('p1', 0, 'Artwork', 'lilies'), care('p2', 1, 'Artwork', 'lilies#front'))).toEqual(expected);
    expect(outcome(care('p1', 1, 'Artwork', 'lilies'), care('p2', 0, 'Artwork', 'lilies#front'))).toEqual(expected);
  });

  it('keeps the oldest policy on whatever level, and names the reason (C-06)', () => {
    const exhibition = museumResource('Exhibition', 'monet', 'east', {
      refs: [{ kind: 'Artwork', namespace: 'east', name: 'lilies', sections: ['front'] }],
    });
    const targets = [Exhibition, Artwork, side];
    const Inherited = definePolicyKind({
      ...definition,
      targets,
      effectiveTargets: [side],
      stanzas: bareSpec({ strategies: { none } }),
    });
    const { effective } = compute(Inherited, museumKinds, [
      exhibition,
      artwork,
      care('p1', 2, 'Exhibition', 'monet'),
      care('p2', 0, 'Artwork', 'lilies'),
      care('p3', 1, 'Artwork', 'lilies#front'),
    ]);
    const [front] = effective.of('artwork.museum.example.com:east/lilies#front');
    expect(front?.spec.by).toBe('p3');
    expect(front?.losses.map(({ layer, winners, rule }) => [layer.policy.name, winners[0]?.policy.name, rule])).toEqual(
      [
        ['east/p2', 'east/p3', 'more-specific'],
        ['east/p1', 'east/p3', 'older'],
      ],
    );
  });

  it('prefers every policy to the own value of the target (M-13)', () => {
    const Owning = definePolicyKind({
      ...definition,
      targets: [Artwork, side],
      ownValue: ({ resource }) => ({ by: String(specOf(resource).by) }),
    });
    const owning = museumResource('Artwork', 'lilies', 'east', { by: 'itself', sections: [{ name: 'front' }] });
    const policy = { ...care('p1', 0, 'Artwork', 'lilies'), metadata: { name: 'p1', namespace: 'east' } };
    const { effective } = compute(Owning, museumKinds, [owning, policy]);
    expect(
      [...effective].map(({ target, spec, losses }) => [target.ref.section, spec.by, losses[0]?.layer.policy.name]),
    ).toEqual([
      [undefined, 'p1', 'east/lilies'],
      ['front', 'p1', 'east/lilies'],
    ]);
  });
});
