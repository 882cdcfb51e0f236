import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { gateway, object, ref, route, worldOf } from './world.fixture.ts';

/** An EnvoyExtensionPolicy, of which only one attaches to a target. */
const extension = (name: string, kind: string, target: string): KubernetesObject =>
  object('gateway.envoyproxy.io/v1alpha1 EnvoyExtensionPolicy', `a/${name}`, {
    targetRefs: [ref(kind, target)],
    lua: [{ type: 'Inline', inline: name }],
  });

function ageless({ metadata: { creationTimestamp: _, ...metadata }, ...rest }: KubernetesObject): KubernetesObject {
  return { ...rest, metadata };
}

describe('two EnvoyExtensionPolicies on one route', () => {
  const [above, one, two] = [
    extension('above', 'Gateway', 'g'),
    extension('one', 'HTTPRoute', 'r'),
    extension('two', 'HTTPRoute', 'r'),
  ] as const;
  const targets = [gateway('a/g'), route('a/r')];

  it('are undecided between the two without their ages, and each names the other', () => {
    const { outcomes, messages } = worldOf(...targets, ...[above, one, two].map(ageless));
    expect(outcomes).toEqual({ 'a/above': 'overridden', 'a/one': 'undecided', 'a/two': 'undecided' });
    expect(messages['a/one']).toContain(
      'a/two prevails, or this policy does: the older one decides, and the ages are not known',
    );
    expect(messages['a/two']).toContain(
      'a/one prevails, or this policy does: the older one decides, and the ages are not known',
    );
  });

  it('are undecided if the age of one is not known', () => {
    const { outcomes } = worldOf(...targets, one, ageless(two));
    expect(outcomes).toEqual({ 'a/one': 'undecided', 'a/two': 'undecided' });
  });

  it('are decided by their names if they are known to be as old', () => {
    const { outcomes, messages } = worldOf(...targets, one, two);
    expect(outcomes).toEqual({ 'a/one': 'enforced', 'a/two': 'conflicted' });
    expect(messages['a/two']).toContain('a/one stays: it is as old and first by name');
  });

  it('are decided without ages on targets of different levels', () => {
    const { outcomes } = worldOf(...targets, ...[above, one].map(ageless));
    expect(outcomes).toEqual({ 'a/above': 'overridden', 'a/one': 'enforced' });
  });
});
