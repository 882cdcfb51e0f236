import { formatIssue } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { graphOf } from '../drawing/graph.ts';
import type { AttachableKind } from '../model/policy-node.ts';
import {
  artwork,
  City,
  city,
  group,
  Museum,
  museum,
  Namespace,
  names,
  namespace,
  OtherMuseum,
  TicketPolicy,
  target,
  targetKinds,
  ticketPolicy,
  world,
} from '../museum.fixture.ts';
import { createTopology } from '../topology.ts';

const louvre = museum('louvre', { wings: [{ name: 'denon' }], doors: [{ name: 'main' }] });

/** Returns the outcome of a policy in a topology with the Louvre, Paris, and a museum of another group. */
function outcomeOf(ref: object, change: Partial<AttachableKind> = {}, metadata: object = { namespace: 'default' }) {
  const topology = createTopology({ targetKinds, policyKinds: [{ ...TicketPolicy, ...change }] });
  const otherLouvre = { ...museum('louvre'), apiVersion: 'other.example.com/v1' };
  const policy = { ...ticketPolicy('p', ref), metadata: { name: 'p', ...metadata } };
  topology.apply({
    upsert: [
      louvre,
      museum('orsay', {}, 'abroad'),
      otherLouvre,
      city('paris'),
      artwork('lisa'),
      namespace('default'),
      namespace('abroad'),
      policy,
    ],
  });
  const [attachment] = topology.policies()[0]?.attachments ?? [];
  return { outcome: attachment?.outcome, target: attachment?.target?.locator, issues: topology.issues };
}

describe('PolicyNode.attachments', () => {
  it.each([
    ['a whole resource', { name: 'louvre' }, 'museum.culture.example.com:default/louvre'],
    ['a section (T-12)', { name: 'louvre', sectionName: 'denon' }, 'museum.culture.example.com:default/louvre#denon'],
    [
      'its own namespace by name',
      { name: 'louvre', namespace: 'default' },
      'museum.culture.example.com:default/louvre',
    ],
    ['its own Namespace object (P-13)', { group: '', kind: 'Namespace', name: 'default' }, 'namespace:default'],
  ])('attaches a policy to %s', (_, ref, locator) => {
    expect(outcomeOf(ref)).toEqual({ outcome: 'Attached', target: locator, issues: [] });
  });

  it.each([
    ['the policy kind is cluster-scoped', { scope: 'Cluster' }, {}],
    ['the policy kind is allowed to', { crossNamespace: 'allow' }, { namespace: 'default' }],
  ] as const)('attaches a policy to a cluster-scoped resource where %s (P-13, W4)', (_, kind, metadata) => {
    const paris = { kind: 'City', name: 'paris' };
    const attached = { outcome: 'Attached', target: 'city.culture.example.com:paris', issues: [] };
    expect(outcomeOf(paris, kind, metadata)).toEqual(attached);
    expect(outcomeOf({ ...paris, namespace: 'ignored' }, kind, metadata)).toEqual(attached);
    const abroad = { group: '', kind: 'Namespace', name: 'abroad' };
    expect(outcomeOf(abroad, kind, metadata).outcome).toBe('Attached');
  });

  it.each([
    ['TargetNotFound', 'the resource is missing (T-21)', { name: 'prado' }, 'missing-target'],
    [
      'TargetNotFound',
      'the resource is missing, section and all',
      { name: 'prado', sectionName: 'a' },
      'missing-target',
    ],
    [
      'SectionNotFound',
      'only the section is missing (T-13)',
      { name: 'louvre', sectionName: 'sully' },
      'missing-section',
    ],
    ['UnsupportedTarget', 'the policy kind lists no such kind', { kind: 'Theatre', name: 'x' }, 'unsupported-target'],
    [
      'UnsupportedTarget',
      'only a kind of the same name in another group is listed',
      { group: 'other.example.com', name: 'louvre' },
      'unsupported-target',
    ],
    [
      'UnsupportedTarget',
      'the kind is written in another case (X-02)',
      { kind: 'museum', name: 'louvre' },
      'unsupported-target',
    ],
    [
      'UnsupportedTarget',
      'sections of the kind are not listed',
      { kind: 'Artwork', name: 'lisa', sectionName: 'a' },
      'unsupported-target',
    ],
    [
      'UnsupportedTarget',
      'sections of another sort are listed',
      { name: 'louvre', sectionName: 'main' },
      'unsupported-target',
    ],
    [
      'CrossNamespaceRefused',
      'the target is in another namespace (T-19)',
      { name: 'orsay', namespace: 'abroad' },
      'cross-namespace-target',
    ],
    [
      'CrossNamespaceRefused',
      'whether it exists there or not (T-25)',
      { name: 'prado', namespace: 'abroad' },
      'cross-namespace-target',
    ],
    [
      'ClusterScopeRefused',
      'the target is cluster-scoped and the policy is not (P-13)',
      { kind: 'City', name: 'paris' },
      'cluster-scoped-target',
    ],
    [
      'ClusterScopeRefused',
      'the target is cluster-scoped, whether it exists or not (T-25)',
      { kind: 'City', name: 'atlantis', namespace: 'default' },
      'cluster-scoped-target',
    ],
    [
      'ClusterScopeRefused',
      'the target is the Namespace object of another namespace (P-13)',
      { group: '', kind: 'Namespace', name: 'abroad' },
      'cluster-scoped-target',
    ],
  ])('says %s, with an issue, when %s', (outcome, _, ref, code) => {
    const { issues, ...rest } = outcomeOf(ref);
    expect(rest).toEqual({ outcome, target: undefined });
    expect(issues).toMatchObject([
      {
        code,
        severity: 'error',
        resource: 'ticketpolicy.policies.example.com:default/p',
        pointer: '/spec/targetRefs/0',
      },
    ]);
  });

  it('reaches other namespaces only if the kind allows it (T-09)', () => {
    const ref = { name: 'orsay', namespace: 'abroad' };
    expect(outcomeOf(ref, { crossNamespace: 'allow' }).target).toBe('museum.culture.example.com:abroad/orsay');
  });

  it('lets cluster-scoped policies name any namespace, and target cluster-scoped resources', () => {
    const cluster = { scope: 'Cluster' } as const;
    expect(outcomeOf({ name: 'orsay', namespace: 'abroad' }, cluster, {}).outcome).toBe('Attached');
    expect(outcomeOf({ kind: 'City', name: 'paris' }, cluster, {}).outcome).toBe('Attached');
    expect(outcomeOf({ name: 'louvre' }, cluster, {}).outcome).toBe('TargetNotFound');
  });

  it('takes a policy without metadata.namespace to be in default', () => {
    expect(outcomeOf({ name: 'louvre' }, {}, {}).outcome).toBe('Attached');
  });

  it('distinguishes kinds of one name in two groups', () => {
    const { target } = outcomeOf({ group: 'other.example.com', name: 'louvre' }, { targets: [Museum, OtherMuseum] });
    expect(target).toBe('museum.other.example.com:default/louvre');
  });

  it('follows targets that are added and removed', () => {
    const topology = world(ticketPolicy('p', { name: 'prado' }));
    const outcome = () => topology.policies()[0]?.attachments[0]?.outcome;
    topology.apply({ upsert: [museum('prado')] });
    expect(outcome()).toBe('Attached');
    topology.apply({ remove: [museum('prado')] });
    expect(outcome()).toBe('TargetNotFound');
  });

  it('reports malformed targetRefs, like the issues of the topology', () => {
    const topology = world(louvre, ticketPolicy('p', { name: 'louvre' }, { name: 'louvre', sectionName: 'DENON' }));
    expect(topology.policies()[0]?.attachments).toEqual([
      {
        declared: { pointer: '/spec/targetRefs/1/sectionName' },
        via: 'targetRef',
        outcome: 'Malformed',
        message: 'sectionName is "DENON"; expected a DNS subdomain, at most 253 characters',
      },
    ]);
    expect(topology.policiesAt('museum.culture.example.com:default/louvre')).toEqual([]);
    expect(topology.issues.map(formatIssue)).toMatchInlineSnapshot(`
      [
        "error: sectionName is "DENON"; expected a DNS subdomain, at most 253 characters (ticketpolicy.policies.example.com:default/p /spec/targetRefs/1/sectionName) [invalid-target-ref]",
      ]
    `);
  });

  it('reports a policy with too many targets (T-02)', () => {
    const many = Array.from({ length: 17 }, (_, index) => ({ name: `m${index}` }));
    expect(world(ticketPolicy('p', ...many)).policies()[0]?.attachments).toMatchObject([
      {
        declared: { pointer: '/spec/targetRefs' },
        outcome: 'Malformed',
        message: expect.stringContaining('17 targets'),
      },
    ]);
  });

  it('keeps the targets of a policy with targetRefs that cause only warnings', () => {
    const { outcome, issues } = outcomeOf(
      {},
      {
        targetRefs: () => ({
          refs: [{ group, kind: 'Museum', name: 'louvre', pointer: '/spec/aimedAt' }],
          issues: [{ code: 'old-field', severity: 'warning', message: 'aimedAt is deprecated' }],
        }),
      },
    );
    expect(outcome).toBe('Attached');
    expect(issues).toMatchObject([{ code: 'old-field' }]);
  });

  it('costs only its own policy when targetRefs cannot be read', () => {
    const broken: AttachableKind = {
      ...TicketPolicy,
      kind: 'BrokenPolicy',
      targetRefs: () => {
        throw new Error('no idea');
      },
    };
    const topology = createTopology({ targetKinds, policyKinds: [TicketPolicy, broken] });
    topology.apply({
      upsert: [louvre, ticketPolicy('good', { name: 'louvre' }), { ...ticketPolicy('bad'), kind: 'BrokenPolicy' }],
    });
    expect(topology.policies().map(({ attachments }) => attachments.length)).toEqual([0, 1]);
    expect(topology.issues.map(formatIssue)).toMatchInlineSnapshot(`
      [
        "error: cannot be read: no idea; correct the resource (brokenpolicy.policies.example.com:default/bad) [unreadable-resource]",
      ]
    `);
  });
});

describe('Topology.issues', () => {
  const messageOf = (...ask: Parameters<typeof outcomeOf>) => outcomeOf(...ask).issues.map(({ message }) => message);

  it.each([
    [
      'a missing resource',
      { name: 'prado', sectionName: 'x' },
      'targets Museum default/prado#x, which does not exist; create it or correct the reference',
    ],
    [
      'a missing section',
      { name: 'louvre', sectionName: 'sully' },
      'targets Museum default/louvre#sully, a wing that does not exist, or with a name that is not unique; target one of denon, main',
    ],
    [
      'a missing section where there is none',
      { group: '', kind: 'Namespace', name: 'default', sectionName: 'x' },
      'targets Namespace default#x, a x that does not exist, or with a name that is not unique; give the resource a x of that name or correct the reference',
    ],
    [
      'an unsupported kind, in the spelling of the policy (X-02)',
      { kind: 'MUSEUM', name: 'louvre', sectionName: 'x' },
      'targets MUSEUM default/louvre#x, which TicketPolicy does not support; target one of Museum, Museum wing, Namespace x',
    ],
    [
      'a namesake of a supported kind in another group',
      { group: 'other.example.com', name: 'louvre' },
      'targets Museum default/louvre of group "other.example.com", not "culture.example.com", which TicketPolicy does not support; target one of Museum, Museum wing, Namespace x',
    ],
    [
      'a target in another namespace',
      { name: 'orsay', namespace: 'abroad' },
      'targets Museum abroad/orsay, and TicketPolicy may target its own namespace only; move the policy to abroad',
    ],
  ])('name the remedy for %s', (_, ref, message) => {
    const NamespacePart = { ...Museum.sections.wing, of: Namespace, section: 'x' };
    expect(messageOf(ref, { targets: [Museum, Museum.sections.wing, NamespacePart] })).toEqual([message]);
  });

  it('name the remedy for a cluster-scoped target (P-13)', () => {
    expect(messageOf({ kind: 'City', name: 'paris' })).toEqual([
      'targets City paris, which is cluster-scoped, and TicketPolicy may target its own namespace only; target an object there',
    ]);
  });

  it('say where a policy on another Namespace belongs', () => {
    expect(messageOf({ group: '', kind: 'Namespace', name: 'abroad' }, { targets: [Namespace] })).toEqual([
      'targets Namespace abroad, and TicketPolicy may target its own namespace only; move the policy to abroad',
    ]);
  });

  it('tell a cluster-scoped policy to set the namespace of its target', () => {
    expect(messageOf({ name: 'louvre' }, { scope: 'Cluster' }, {})).toEqual([
      'targets Museum louvre without a namespace, but TicketPolicy is cluster-scoped; set namespace in the reference',
    ]);
  });

  it('list ten sections at most, and none with an ambiguous name (T-13)', () => {
    const wings = [...Array.from({ length: 12 }, (_, index) => ({ name: `w${index}` })), { name: 'x' }, { name: 'x' }];
    const topology = world(museum('prado', { wings }), ticketPolicy('p', { name: 'prado', sectionName: 'x' }));
    expect(topology.issues.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/; target one of w0, w1, .*, w9 and 2 more$/),
    );
  });
});

describe('Topology.policy', () => {
  const topology = world(ticketPolicy('lost', { name: 'nowhere' }));
  const locator = 'ticketpolicy.policies.example.com:default/lost';

  it('finds a policy by locator or reference, whether it is attached or not', () => {
    const { group, kind } = TicketPolicy;
    expect(topology.policy(locator)?.locator).toBe(locator);
    expect(topology.policy({ group, kind, namespace: 'default', name: 'lost' })?.locator).toBe(locator);
    expect(topology.policy('ticketpolicy.policies.example.com:default/none')).toBeUndefined();
  });
});

describe('Topology.with', () => {
  const topology = world(louvre);

  it('returns a topology with a change applied, and stays unchanged', () => {
    const { topology: other, delta } = topology.with({ upsert: [ticketPolicy('a', { name: 'louvre' })] });
    expect(delta.added).toEqual(['ticketpolicy.policies.example.com:default/a']);
    expect([other.policies().length, topology.policies().length]).toEqual([1, 0]);
    other.apply({ remove: [louvre] });
    expect([...topology.targets].length).toBeGreaterThan([...other.targets].length);
  });
});

describe('Topology.policiesAt', () => {
  const topology = world(
    louvre,
    ticketPolicy('b', { name: 'louvre' }),
    ticketPolicy('a', { name: 'louvre' }),
    ticketPolicy('wing', { name: 'louvre', sectionName: 'denon' }),
  );
  const at = (name: string, kind = TicketPolicy) =>
    topology.policiesAt(target(topology, name), kind).map(({ resource }) => resource.metadata.name);

  it('lists the policies attached to a target, by locator', () => {
    expect(at('Museum louvre')).toEqual(['a', 'b']);
    expect(at('Museum louvre#denon')).toEqual(['wing']);
  });

  it('lists the policies of one kind only, on demand', () => {
    expect(at('Museum louvre', { ...TicketPolicy, kind: 'OtherPolicy' })).toEqual([]);
  });

  it('lists a policy once if it names one target in two ways', () => {
    const kind = { ...TicketPolicy, targets: [City], crossNamespace: 'allow' } as const;
    const twice = createTopology({ targetKinds, policyKinds: [kind] });
    const ref = { kind: 'City', name: 'paris' };
    twice.apply({ upsert: [city('paris'), ticketPolicy('p', { ...ref, namespace: 'a' }, { ...ref, namespace: 'b' })] });
    expect(twice.policiesAt(target(twice, 'City paris'))).toHaveLength(1);
    expect(graphOf(twice).size).toBe(1);
  });
});

describe('Topology.policies', () => {
  it('lists attached and unattached policies by locator, or only one kind', () => {
    const topology = world(ticketPolicy('z', { name: 'nowhere' }), louvre, ticketPolicy('a', { name: 'louvre' }));
    const found = topology.policies(TicketPolicy).map(({ locator }) => locator);
    expect(found).toEqual([
      'ticketpolicy.policies.example.com:default/a',
      'ticketpolicy.policies.example.com:default/z',
    ]);
    expect(topology.policies({ group, kind: 'TicketPolicy' })).toEqual([]);
    expect(names(topology.targets)).not.toContain('a');
  });
});
