import type { KubernetesObject } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTargetRefs } from './read-target-refs.ts';

const museum = { group: 'culture.example.com', kind: 'Museum', name: 'louvre' };

function policy(spec: unknown, namespace = 'default'): KubernetesObject {
  return { apiVersion: 'policies.example.com/v1', kind: 'TicketPolicy', metadata: { name: 'p', namespace }, spec };
}

/** Where something is wrong, and what. */
function issuesOf(spec: unknown, namespace?: string): readonly string[] {
  return readTargetRefs(policy(spec, namespace)).issues.map(({ pointer, message }) => `${pointer}: ${message}`);
}

const issuesWith = (field: string, value: unknown) => issuesOf({ targetRefs: [{ ...museum, [field]: value }] });

describe('readTargetRefs', () => {
  it('reads a list of references in order, with their pointers (T-01)', () => {
    const targetRefs = [museum, { ...museum, name: 'orsay', namespace: 'paris', sectionName: 'hall' }];
    expect(readTargetRefs(policy({ targetRefs }))).toEqual({
      refs: [
        { ...museum, pointer: '/spec/targetRefs/0' },
        { ...museum, name: 'orsay', namespace: 'paris', sectionName: 'hall', pointer: '/spec/targetRefs/1' },
      ],
      issues: [],
    });
  });

  it('reads a single reference (T-01, X-01)', () => {
    expect(readTargetRefs(policy({ targetRef: museum }))).toEqual({
      refs: [{ ...museum, pointer: '/spec/targetRef' }],
      issues: [],
    });
  });

  it('treats null as missing', () => {
    const targetRefs = [{ ...museum, namespace: null, sectionName: null, listeners: null }];
    expect(readTargetRefs(policy({ targetRef: null, targetRefs }))).toEqual({
      refs: [{ ...museum, pointer: '/spec/targetRefs/0' }],
      issues: [],
    });
  });

  it.each([
    ['a field of other kinds', { listeners: ['http'] }, '/spec/targetRefs/0/listeners'],
    ['a typo', { 'section/Name': 'http' }, '/spec/targetRefs/0/section~1Name'],
    ['a port', { port: 80 }, '/spec/targetRefs/0/port'],
  ])('warns of a field that is not read, and reads the rest: %s', (_, more, pointer) => {
    const { refs, issues } = readTargetRefs(policy({ targetRefs: [{ ...museum, ...more }] }));
    expect(refs).toEqual([{ ...museum, pointer: '/spec/targetRefs/0' }]);
    expect(issues).toMatchObject([{ code: 'unread-field', severity: 'warning', pointer }]);
  });

  it('is without limit with maxTargets: Infinity', () => {
    const targetRefs = Array.from({ length: 1001 }, (_, index) => ({ ...museum, name: `m${index}` }));
    const { refs, issues } = readTargetRefs(policy({ targetRefs }), { maxTargets: Infinity });
    expect([refs.length, issues]).toEqual([1001, []]);
  });

  it('counts a repeated target once if repetitions are allowed, and keeps wholes beside sections', () => {
    const hall = { ...museum, sectionName: 'hall' };
    const targetRefs = [museum, hall, museum, hall, { ...museum, namespace: 'default' }];
    const { refs, issues } = readTargetRefs(policy({ targetRefs }), { repeatedTargets: 'allow' });
    expect(refs.map(({ pointer }) => pointer)).toEqual(['/spec/targetRefs/0', '/spec/targetRefs/1']);
    expect(issues).toEqual([]);
  });

  it('reports a repeated target as in conflict with the earlier one, if so chosen, and no section of a target', () => {
    const targetRefs = [museum, { ...museum, sectionName: 'hall' }, museum];
    const { refs, issues } = readTargetRefs(policy({ targetRefs }), { repeatedTargets: 'report' });
    expect(refs.map(({ pointer }) => pointer)).toEqual(['/spec/targetRefs/0', '/spec/targetRefs/1']);
    expect(issues).toMatchObject([
      {
        code: 'repeated-target',
        severity: 'warning',
        pointer: '/spec/targetRefs/2',
        message: 'in conflict with /spec/targetRefs/0, which names the same target; remove one',
      },
    ]);
  });

  it('reads a reference without a group in the default group', () => {
    const { group: _group, ...rest } = museum;
    const readIn = (defaultGroup?: string) =>
      readTargetRefs(policy({ targetRefs: [rest] }), defaultGroup === undefined ? {} : { defaultGroup });
    expect(readIn('').refs).toMatchObject([{ group: '' }]);
    expect(readIn().issues).toMatchObject([{ pointer: '/spec/targetRefs/0/group', severity: 'error' }]);
  });

  describe('with ports', () => {
    const gateway = { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'public' };
    const service = { group: '', kind: 'Service', name: 'cart' };
    const read = (...targetRefs: readonly object[]) => readTargetRefs(policy({ targetRefs }), { ports: true });

    it('reads a port, and the number that names the port of a Service', () => {
      const targetRefs = [
        { ...gateway, port: 443 },
        { ...service, sectionName: '8080' },
      ];
      expect(read(...targetRefs)).toEqual({
        refs: [
          { ...gateway, port: 443, pointer: '/spec/targetRefs/0' },
          { ...service, port: 8080, pointer: '/spec/targetRefs/1' },
        ],
        issues: [],
      });
    });

    it.each<[string, object, string]>([
      ['a port that is none', { ...gateway, port: 'http' }, '/spec/targetRefs/0/port'],
      ['a port that is too high', { ...gateway, port: 65_536 }, '/spec/targetRefs/0/port'],
      ['the port 0 of a Service', { ...service, sectionName: '0' }, '/spec/targetRefs/0/sectionName'],
      ['both a port and a section', { ...gateway, port: 80, sectionName: 'http' }, '/spec/targetRefs/0/port'],
    ])('refuses %s', (_, entry, pointer) => {
      expect(read(entry).issues).toMatchObject([{ severity: 'error', pointer }]);
      expect(read(entry).refs).toEqual([]);
    });

    it('distinguishes ports as it does sections', () => {
      expect(read({ ...gateway, port: 80 }, { ...gateway, port: 81 }).issues).toEqual([]);
      expect(read({ ...gateway, port: 80 }, { ...gateway, port: 80 }).issues).toHaveLength(1);
      expect(read({ ...gateway, port: 80 }, gateway).issues).toHaveLength(1);
    });
  });

  it.each([
    ['no spec', undefined],
    ['a spec that is no object', 'targetRefs'],
    ['no target', {}],
    ['an empty list (T-02)', { targetRefs: [] }],
    ['no list', { targetRefs: museum }],
  ])('refuses %s', (_, spec) => {
    expect(issuesOf(spec)).toEqual([
      '/spec/targetRefs: no target; set spec.targetRefs to a list of 1 to 16 references',
    ]);
  });

  describe('with coreGroupSpellings', () => {
    const service = (group: string) => ({ group, kind: 'Service', name: 'cart' });
    const read = (...targetRefs: readonly object[]) =>
      readTargetRefs(policy({ targetRefs }), { coreGroupSpellings: ['core'] });

    it('reads them as the core group', () => {
      expect(read(service('core'), museum).refs.map(({ group }) => group)).toEqual(['', museum.group]);
      expect(readTargetRefs(policy({ targetRefs: [service('core')] })).refs[0]?.group).toBe('core');
    });

    it('finds a target that is named in both spellings (T-15)', () => {
      const [issue] = read(service('core'), service('')).issues;
      expect(issue?.message).toBe('the same target as /spec/targetRefs/0; remove one');
    });
  });

  describe('with orSelectors', () => {
    const ask = (spec: unknown) => {
      const { refs, issues } = readTargetRefs(policy(spec), { orSelectors: true });
      return { count: refs.length, issues: issues.map(({ message }) => message) };
    };
    const selectors = [{ kind: 'Museum' }];

    it.each([
      ['selectors alone', { targetSelectors: selectors }, 0],
      ['selectors beside an empty list', { targetRefs: [], targetSelectors: selectors }, 0],
      ['selectors beside references', { targetRefs: [museum], targetSelectors: selectors }, 1],
      ['references alone', { targetRefs: [museum] }, 1],
      ['selectors that are no list, which is for their reader to say', { targetSelectors: 'x' }, 0],
    ])('takes %s (T-07)', (_, spec, count) => {
      expect(ask(spec)).toEqual({ count, issues: [] });
    });

    it.each([
      ['neither', {}],
      ['an empty list of selectors', { targetSelectors: [] }],
      ['null', { targetSelectors: null }],
    ])('refuses %s', (_, spec) => {
      const message = 'no target; set spec.targetRefs to a list of 1 to 16 references, or spec.targetSelectors';
      expect(ask(spec).issues).toEqual([message]);
    });

    it('reports a policy without targets if its kind reads no selectors', () => {
      expect(issuesOf({ targetSelectors: selectors })).toEqual([
        '/spec/targetSelectors: policies of this kind select no targets; name each of them in spec.targetRefs',
      ]);
    });

    it.each([
      ['a list', selectors],
      ['no list', 'x'],
    ])('warns of selectors that a kind does not read, %s, beside references, which count', (_, targetSelectors) => {
      const { refs, issues } = readTargetRefs(policy({ targetRefs: [museum], targetSelectors }));
      expect(refs).toHaveLength(1);
      expect(issues).toMatchObject([{ severity: 'warning', pointer: '/spec/targetSelectors' }]);
    });

    it.each([[[]], [null]])('has nothing to say of selectors that are none: %j', (targetSelectors) => {
      expect(readTargetRefs(policy({ targetRefs: [museum], targetSelectors })).issues).toEqual([]);
    });
  });

  it('refuses both forms at once (T-03)', () => {
    expect(issuesOf({ targetRef: museum, targetRefs: [museum] })).toEqual([
      '/spec/targetRef: both targetRef and targetRefs are set; keep targetRefs',
    ]);
  });

  it('accepts at most 16 targets (T-02)', () => {
    const targetRefs = Array.from({ length: 17 }, (_, index) => ({ ...museum, name: `m${index}` }));
    expect(issuesOf({ targetRefs: targetRefs.slice(0, 16) })).toEqual([]);
    expect(issuesOf({ targetRefs })).toEqual(['/spec/targetRefs: 17 targets; split the policy, 16 are allowed']);
  });

  it('refuses a hole in the list of references', () => {
    const { refs, issues } = readTargetRefs(policy({ targetRefs: Object.assign([museum], { length: 2 }) }));
    expect(refs).toHaveLength(1);
    expect(issues).toMatchObject([{ pointer: '/spec/targetRefs/1', severity: 'error' }]);
  });

  it.each([null, 'louvre', 5, [museum], []])('refuses %j as a reference', (entry) => {
    const { refs, issues } = readTargetRefs(policy({ targetRefs: [museum, entry] }));
    expect(refs).toHaveLength(1);
    expect(issues).toMatchObject([{ pointer: '/spec/targetRefs/1', severity: 'error', code: 'invalid-target-ref' }]);
  });

  it.each(['group', 'kind', 'name'])('requires %s (T-04)', (field) => {
    const message = expect.stringContaining(`/spec/targetRefs/0/${field}: ${field} is missing; set it to `);
    expect(issuesWith(field, undefined)).toEqual([message]);
    expect(issuesWith(field, null)).toEqual([message]);
  });

  it.each([
    ['group', ''],
    ['group', 'gateway.networking.k8s.io'],
    ['group', 'a'.repeat(253)],
    ['kind', 'Museum'],
    ['kind', 'x-museum2'],
    ['kind', 'K'.repeat(63)],
    ['name', 'system:museum.of.arts'],
    ['name', 'n'.repeat(253)],
    ['namespace', 'prod-1'],
    ['namespace', 'n'.repeat(63)],
    ['sectionName', 'rule-1.a'],
    ['sectionName', '8080'],
    ['sectionName', 's'.repeat(253)],
  ])('takes %s "%s" (T-06)', (field, value) => {
    expect(issuesWith(field, value)).toEqual([]);
  });

  it.each([
    ['group', 'gateway.networking.k8s.io/v1'],
    ['group', 'Culture.example.com'],
    ['group', '.example.com'],
    ['group', 'example..com'],
    ['group', 'a'.repeat(254)],
    ['kind', ''],
    ['kind', '2Museum'],
    ['kind', 'Museum-'],
    ['kind', 'Mu.seum'],
    ['kind', 'K'.repeat(64)],
    ['name', ''],
    ['name', 'a/b'],
    ['name', 'a#b'],
    ['name', 'n'.repeat(254)],
    ['namespace', ''],
    ['namespace', 'a.b'],
    ['namespace', 'Prod'],
    ['namespace', 'n'.repeat(64)],
    ['sectionName', ''],
    ['sectionName', '-a'],
    ['sectionName', 'A'],
    ['sectionName', 'a\n'],
    ['sectionName', 's'.repeat(254)],
    ['kind', 5],
    ['name', ['louvre']],
    ['sectionName', {}],
    ['namespace', false],
  ])('refuses %s %j (T-06)', (field, value) => {
    expect(issuesWith(field, value)).toEqual([expect.stringContaining(`/spec/targetRefs/0/${field}: ${field} is `)]);
  });

  it('reports everything that is wrong at once, and keeps valid references', () => {
    const targetRefs = [
      museum,
      { kind: '2', name: 'x'.repeat(300) },
      'louvre',
      { ...museum, name: 'orsay', group: { a: 1 } },
    ];
    expect(issuesOf({ targetRefs })).toMatchInlineSnapshot(`
      [
        "/spec/targetRefs/1/group: group is missing; set it to a DNS subdomain without a version, or "" for the core group",
        "/spec/targetRefs/1/kind: kind is "2"; expected letters, digits and "-", beginning with a letter, at most 63 characters",
        "/spec/targetRefs/1/name: name is "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"; expected the name of the target, at most 253 characters",
        "/spec/targetRefs/2: a target reference must be an object with group, kind and name",
        "/spec/targetRefs/3/group: group is an object; expected a DNS subdomain without a version, or "" for the core group, at most 253 characters",
      ]
    `);
    expect(readTargetRefs(policy({ targetRefs })).refs).toHaveLength(1);
  });

  const denon = { ...museum, sectionName: 'denon' };
  const twice = 'the same target as /spec/targetRefs/0; remove one';
  const mixed = 'the same target as /spec/targetRefs/0, once as a whole and once by section; keep one of the two forms';

  it.each([
    ['twice as a whole', [museum, museum], twice],
    ['twice by one section', [denon, denon], twice],
    ['as a whole and by section', [museum, denon], mixed],
    ['by section and as a whole', [denon, museum], mixed],
    ['twice, once with the namespace of the policy', [museum, { ...museum, namespace: 'default' }], twice],
  ])('refuses a target %s (T-15)', (_, targetRefs, message) => {
    expect(issuesOf({ targetRefs })).toEqual([`/spec/targetRefs/1: ${message}`]);
  });

  it.each([
    ['two sections', [denon, { ...museum, sectionName: 'sully' }]],
    ['two names', [museum, { ...museum, name: 'orsay' }]],
    ['two groups', [museum, { ...museum, group: 'other.example.com' }]],
    ['two kinds', [museum, { ...museum, kind: 'Theatre' }]],
    ['two namespaces', [museum, { ...museum, namespace: 'abroad' }]],
  ])('takes targets of %s (T-15)', (_, targetRefs) => {
    expect(issuesOf({ targetRefs })).toEqual([]);
  });

  it.each([
    ['no namespace', museum],
    ['the namespace of the policy', { ...museum, namespace: 'default' }],
    ['a namespace of its own', { ...museum, namespace: 'stray' }],
  ])('refuses a cluster-scoped target twice, whatever namespaces it carries: %s (T-15)', (_, again) => {
    const cluster = { isClusterScoped: ({ kind }: { readonly kind: string }) => kind === museum.kind };
    const { issues } = readTargetRefs(policy({ targetRefs: [{ ...museum, namespace: 'abroad' }, again] }), cluster);
    expect(issues).toMatchObject([{ message: twice, pointer: '/spec/targetRefs/1' }]);
  });

  it('treats a policy without a namespace as in default', () => {
    const targetRefs = [museum, { ...museum, namespace: 'default' }];
    const { issues } = readTargetRefs({ ...policy({ targetRefs }), metadata: { name: 'p' } });
    expect(issues).toMatchObject([{ message: twice }]);
  });

  it('never throws, and never changes its input', () => {
    const garbage = fc.jsonValue({ maxDepth: 5 });
    const entry = fc.record(
      { group: garbage, kind: garbage, name: garbage, namespace: garbage, sectionName: garbage },
      { requiredKeys: [] },
    );
    const specs = fc.oneof(
      garbage,
      fc.record({ targetRef: garbage, targetRefs: garbage }, { requiredKeys: [] }),
      fc.record({ targetRefs: fc.array(fc.oneof(entry, garbage)) }),
    );
    fc.assert(
      fc.property(specs, (spec) => {
        const before = structuredClone(spec);
        const { refs, issues } = readTargetRefs(policy(spec));
        expect(spec).toEqual(before);
        expect(refs.length + issues.length).toBeGreaterThan(0);
        for (const { pointer } of issues) expect(pointer).toMatch(/^\/spec\/targetRefs?(\/|$)/);
      }),
    );
  });

  it('keeps its messages short, whatever a tenant writes', () => {
    expect(issuesWith('name', 'x'.repeat(1_000_000))[0]?.length).toBeLessThan(200);
    let deep: unknown = 1;
    for (let depth = 0; depth < 20_000; depth += 1) deep = [deep];
    expect(issuesWith('name', deep)[0]).toContain('name is a list');
  });
});
