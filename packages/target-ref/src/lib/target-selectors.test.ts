import type { KubernetesObject } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTargetSelectors, selectorMatches } from '../index.ts';

const group = 'gateway.networking.k8s.io';
const gateways = { group, kind: 'Gateway', matchLabels: { pick: 'me' } };

function policy(spec: unknown): KubernetesObject {
  return {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'BackendTrafficPolicy',
    metadata: { name: 'p', namespace: 'infra' },
    spec,
  };
}

/** Returns the faults of one selector, with their places. */
function issuesWith(fields: object): readonly string[] {
  const { issues } = readTargetSelectors(policy({ targetSelectors: [{ ...gateways, ...fields }] }));
  return issues.map(({ pointer, message }) => `${pointer?.replace('/spec/targetSelectors/0', '')}: ${message}`);
}

describe('readTargetSelectors', () => {
  it('reads other spellings of the core group, if configured', () => {
    const services = policy({ targetSelectors: [{ group: 'core', kind: 'Service' }] });
    const groupOf = (options?: object) => readTargetSelectors(services, options).selectors[0]?.group;
    expect([groupOf({ coreGroupSpellings: ['core'] }), groupOf()]).toEqual(['', 'core']);
  });

  it('reads selectors in order, with defaults and pointers (T-07)', () => {
    const matchExpressions = [{ key: 'env', operator: 'In', values: ['prod', 'staging'] }];
    const namespaces = { from: 'Selector', selector: { matchLabels: { team: 'blue' } } };
    const targetSelectors = [
      { kind: 'HTTPRoute' },
      { ...gateways, group: '', matchExpressions, namespaces },
      { ...gateways, group: null, matchExpressions: null, namespaces: { from: 'All', selector: 5 } },
    ];
    expect(readTargetSelectors(policy({ targetSelectors }))).toEqual({
      selectors: [
        { group, kind: 'HTTPRoute', namespaces: { from: 'Same' }, pointer: '/spec/targetSelectors/0' },
        { ...gateways, group: '', matchExpressions, namespaces, pointer: '/spec/targetSelectors/1' },
        { ...gateways, namespaces: { from: 'All' }, pointer: '/spec/targetSelectors/2' },
      ],
      issues: [],
    });
  });

  it('warns of a field that is not read, and reads the rest', () => {
    const { selectors, issues } = readTargetSelectors(policy({ targetSelectors: [{ ...gateways, name: 'public' }] }));
    expect(selectors).toHaveLength(1);
    expect(issues).toMatchObject([
      { code: 'unread-field', severity: 'warning', pointer: '/spec/targetSelectors/0/name' },
    ]);
  });

  it('is without limit with maxTargets: Infinity', () => {
    const targetSelectors = Array.from({ length: 1001 }, () => gateways);
    const { selectors, issues } = readTargetSelectors(policy({ targetSelectors }), { maxTargets: Infinity });
    expect([selectors.length, issues]).toEqual([1001, []]);
  });

  it('reads a port instead of a section, if the kind has ports', () => {
    const portsOf = (entry: object) =>
      readTargetSelectors(policy({ targetSelectors: [entry] }), { ports: true }).selectors.map(({ port }) => port);
    expect(portsOf({ ...gateways, port: 443 })).toEqual([443]);
    expect(portsOf({ group: '', kind: 'Service', sectionName: '8080' })).toEqual([8080]);
    expect(portsOf({ ...gateways, port: 0 })).toEqual([]);
  });

  it('reads the section of each selected target (T-08)', () => {
    const [selector] = readTargetSelectors(
      policy({ targetSelectors: [{ ...gateways, sectionName: 'http' }] }),
    ).selectors;
    expect(selector).toMatchObject({ kind: 'Gateway', sectionName: 'http' });
  });

  it.each([
    ['no spec', undefined],
    ['no selectors', { targetRefs: [] }],
    ['null', { targetSelectors: null }],
    ['an empty list', { targetSelectors: [] }],
  ])('finds nothing, and nothing wrong, in a policy with %s', (_, spec) => {
    expect(readTargetSelectors(policy(spec))).toEqual({ selectors: [], issues: [] });
  });

  it.each<[string, object, readonly string[]]>([
    [
      'a section of wrong form',
      { sectionName: 'HTTP' },
      ['/sectionName: sectionName is "HTTP"; expected a DNS subdomain, at most 253 characters'],
    ],
    ['no kind', { kind: null }, ['/kind: kind is missing; set it to letters, digits and "-", beginning with a letter']],
    [
      'a kind of wrong form',
      { kind: 'Gate way' },
      ['/kind: kind is "Gate way"; expected letters, digits and "-", beginning with a letter, at most 63 characters'],
    ],
    [
      'a group with a version',
      { group: `${group}/v1` },
      [
        `/group: group is "${group}/v1"; expected a DNS subdomain without a version, or "" for the core group, at most 253 characters`,
      ],
    ],
    [
      'labels that are no object',
      { matchLabels: ['pick'] },
      ['/matchLabels: Invalid label selector: matchLabels is not an object'],
    ],
    [
      'a label that is no string',
      { matchLabels: { 'a/b': 1, c: 'd' } },
      ['/matchLabels/a~1b: Invalid label selector: "a/b": its values are not a list of strings; quote them'],
    ],
    [
      'conditions that are no list',
      { matchExpressions: {} },
      ['/matchExpressions: Invalid label selector: matchExpressions is not a list'],
    ],
    [
      'broken conditions',
      { matchExpressions: [{ key: 'a', operator: 'Exists' }, { key: 'b', operator: 'In' }, null] },
      [
        '/matchExpressions/1: Invalid label selector: "b": In takes at least one value',
        '/matchExpressions/2: Invalid label selector: a condition lacks its key',
      ],
    ],
    ['namespaces that are no object', { namespaces: 'All' }, ['/namespaces: namespaces must be an object']],
    [
      'a word of its own for from',
      { namespaces: { from: 'None' } },
      ['/namespaces/from: from is "None"; expected one of Same, All, Selector'],
    ],
    [
      'a rubbish from',
      { namespaces: { from: ['All'] } },
      ['/namespaces/from: from is a list; expected one of Same, All, Selector'],
    ],
    [
      'no selector for namespaces',
      { namespaces: { from: 'Selector' } },
      ['/namespaces/selector: from is Selector; set selector to a label selector'],
    ],
    [
      'a broken selector for namespaces',
      { namespaces: { from: 'Selector', selector: { matchLabels: { team: null } } } },
      [
        '/namespaces/selector/matchLabels/team: Invalid label selector: "team": its values are not a list of strings; quote them',
      ],
    ],
  ])('refuses a selector with %s', (_, fields, expected) => {
    expect(issuesWith(fields)).toEqual(expected);
  });

  it('reports everything that is wrong at once, and keeps valid selectors', () => {
    const wrong = { kind: 5, sectionName: 'HTTP', matchLabels: 'a', namespaces: 7 };
    const { selectors, issues } = readTargetSelectors(policy({ targetSelectors: [wrong, gateways, null] }));
    expect(selectors).toMatchObject([{ pointer: '/spec/targetSelectors/1' }]);
    expect(issues.map(({ pointer }) => pointer?.replace('/spec/targetSelectors', ''))).toEqual([
      '/0/kind',
      '/0/sectionName',
      '/0/matchLabels',
      '/0/namespaces',
      '/2',
    ]);
    expect(new Set(issues.map(({ code }) => code))).toEqual(new Set(['invalid-target-selector']));
  });

  it.each([
    [16, 16, []],
    [17, 0, ['/spec/targetSelectors: 17 selectors; split the policy, 16 are allowed']],
  ])('takes 1 to 16 selectors: %i', (count, read, expected) => {
    const { selectors, issues } = readTargetSelectors(policy({ targetSelectors: Array(count).fill(gateways) }));
    expect(selectors).toHaveLength(read);
    expect(issues.map(({ pointer, message }) => `${pointer}: ${message}`)).toEqual(expected);
  });

  it('accepts as many as the policy kind allows', () => {
    const count = (maxTargets: number) =>
      readTargetSelectors(policy({ targetSelectors: Array(17).fill(gateways) }), { maxTargets }).selectors.length;
    expect([count(16), count(17)]).toEqual([0, 17]);
  });

  it('refuses values that are not lists', () => {
    expect(readTargetSelectors(policy({ targetSelectors: gateways })).issues).toMatchObject([
      { pointer: '/spec/targetSelectors', message: 'targetSelectors must be a list' },
    ]);
  });

  it('never throws, never changes its input, and returns only usable selectors', () => {
    const rubbish = fc.jsonValue({ maxDepth: 4 });
    const labels = fc.oneof(rubbish, fc.dictionary(fc.string(), fc.oneof(fc.string(), rubbish), { maxKeys: 3 }));
    const operator = fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'in', 'constructor', null);
    const expressions = fc.array(
      fc.oneof(rubbish, fc.record({ key: fc.string(), operator, values: fc.array(fc.string()) })),
    );
    const selection = fc.record({ matchLabels: labels, matchExpressions: expressions }, { requiredKeys: [] });
    const namespaces = fc.record({ from: fc.constantFrom('Same', 'All', 'Selector', null), selector: selection });
    const selector = fc.record(
      {
        kind: fc.constant('Gateway'),
        matchLabels: labels,
        matchExpressions: expressions,
        namespaces: fc.oneof(namespaces, rubbish),
      },
      { requiredKeys: ['kind'] },
    );
    fc.assert(
      fc.property(fc.oneof(rubbish, fc.array(fc.oneof(rubbish, selector))), (targetSelectors) => {
        const before = structuredClone(targetSelectors);
        for (const one of readTargetSelectors(policy({ targetSelectors })).selectors) {
          expect(typeof selectorMatches(one, candidate('infra', {}))).toBe('boolean');
        }
        expect(targetSelectors).toEqual(before);
      }),
    );
  });

  it('reports each of very many broken labels', () => {
    const length = process.env.LARGE_INPUTS === '1' ? 200_000 : 20_000;
    const matchLabels = Object.fromEntries(Array.from({ length }, (_, index) => [`l${index}`, index]));
    expect(issuesWith({ matchLabels })).toHaveLength(length);
  });

  it('keeps its messages short, whatever a tenant writes', () => {
    const long = 'x'.repeat(1_000_000);
    const [about = ''] = readTargetSelectors(
      policy({ targetSelectors: [{ ...gateways, matchExpressions: [{ key: long, operator: 'in' }] }] }),
    ).issues.map(({ message }) => message);
    expect(about.length).toBeLessThan(200);
  });
});

function candidate(namespace: string, namespaceLabels?: Record<string, string>, apiVersion = `${group}/v1`) {
  const labels = { pick: 'me', env: 'prod' };
  const target = { apiVersion, kind: 'Gateway', metadata: { name: 'g', namespace, labels } };
  return { policyNamespace: 'infra', target, namespaceLabels };
}

describe('selectorMatches', () => {
  function selects(fields: object, one: ReturnType<typeof candidate>): boolean {
    const { selectors, issues } = readTargetSelectors(policy({ targetSelectors: [{ ...gateways, ...fields }] }));
    expect(issues).toEqual([]);
    return selectors.some((selector) => selectorMatches(selector, one));
  }
  const from = (from: string, selector?: object) => ({ namespaces: { from, selector } });
  const blue = { matchLabels: { team: 'blue' } };

  it.each<[string, object, ReturnType<typeof candidate>, boolean]>([
    ['a target with the labels', {}, candidate('infra'), true],
    ['a target of any version', {}, candidate('infra', {}, `${group}/v1beta1`), true],
    ['a target of another kind', { kind: 'HTTPRoute' }, candidate('infra'), false],
    ['a target of another group', { group: '' }, candidate('infra'), false],
    ['a target with other labels', { matchLabels: { pick: 'you' } }, candidate('infra'), false],
    ['a target that meets some conditions', { matchLabels: { pick: 'me', env: 'dev' } }, candidate('infra'), false],
    [
      'a target by expressions',
      { matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['dev'] }] },
      candidate('infra'),
      true,
    ],
    [
      'a target against an expression',
      { matchExpressions: [{ key: 'env', operator: 'DoesNotExist' }] },
      candidate('infra'),
      false,
    ],
    ['all of the kind, without conditions', { matchLabels: null }, candidate('infra'), true],
    ['a target in another namespace, by default', {}, candidate('shop'), false],
    ['a target in another namespace, with Same', from('Same'), candidate('shop'), false],
    ['a target in another namespace, with All', from('All'), candidate('shop'), true],
    ['a target in a namespace selected', from('Selector', blue), candidate('shop', { team: 'blue' }), true],
    ['a target in a namespace not selected', from('Selector', blue), candidate('shop', { team: 'red' }), false],
    ['a target in its own namespace, not selected', from('Selector', blue), candidate('infra', {}), false],
    ['a target in a namespace whose labels are not known', from('Selector', blue), candidate('shop'), false],
    ['a target in any namespace, known or not, without conditions', from('Selector', {}), candidate('shop'), true],
    [
      'a target by the name of a namespace whose labels are not known',
      from('Selector', {
        matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['shop'] }],
      }),
      candidate('shop'),
      true,
    ],
    ['a target in any known namespace', from('Selector', {}), candidate('shop', {}), true],
    [
      'a target by the name of its namespace, which the API server makes a label',
      from('Selector', { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } }),
      candidate('shop', {}),
      true,
    ],
  ])('selects %s (T-07): %j', (_, fields, one, expected) => {
    expect(selects(fields, one)).toBe(expected);
  });

  it('treats a target without a namespace as in default, and without labels as unlabelled', () => {
    const target = { apiVersion: `${group}/v1`, kind: 'Gateway', metadata: { name: 'g', labels: null } };
    const one = { policyNamespace: 'default', target, namespaceLabels: undefined };
    const [all] = readTargetSelectors(policy({ targetSelectors: [{ kind: 'Gateway' }] })).selectors;
    expect(all && selectorMatches(all, one)).toBe(true);
    expect(all && selectorMatches(all, { ...one, policyNamespace: 'infra' })).toBe(false);
  });
});
