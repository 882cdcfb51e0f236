import { Gateway, GRPCRoute, HTTPRoute, Service } from '@policy-machinery/gateway-api';
import { definePolicyKind, type PolicyKindDefinition } from '@policy-machinery/policy-kind';
import type { JsonObject, JsonValue } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type CustomResourceDefinitionOptions, customResourceDefinition } from '../../index.ts';
import { refusals } from '../api-server.fixture.ts';

const spec = z.strictObject({ request: z.string().optional() });
type Parts = Partial<PolicyKindDefinition<typeof spec>>;

/** Returns the answer of the API server to a spec of a kind that targets Gateways, their listeners, HTTPRoutes and rules of GRPCRoutes. */
function saysTo(
  fields: JsonObject,
  parts: Parts = {},
  options: CustomResourceDefinitionOptions = {},
): readonly string[] {
  const kind = definePolicyKind({
    group: 'policies.example.com',
    version: 'v1',
    kind: 'TimeoutPolicy',
    targets: [Gateway, Gateway.sections.listener, HTTPRoute, GRPCRoute.sections.rule],
    spec,
    ...parts,
  });
  const { definition } = customResourceDefinition(kind, options);
  const [version] = definition.spec.versions as unknown as readonly [{ schema: { openAPIV3Schema: JsonObject } }];
  return refusals(version.schema.openAPIV3Schema, { spec: fields });
}

const group = 'gateway.networking.k8s.io';
const ref = (kind: string, name: string, sectionName?: string): JsonObject => ({
  group,
  kind,
  name,
  ...(sectionName === undefined ? {} : { sectionName }),
});
const refs = (...targetRefs: readonly JsonValue[]) => ({ targetRefs });

describe('targets in a CustomResourceDefinition (A-04)', () => {
  it.each<[string, JsonObject]>([
    ['one target', refs(ref('Gateway', 'a'))],
    ['a section', refs(ref('Gateway', 'a', 'https'))],
    ['several targets', refs(ref('Gateway', 'a'), ref('Gateway', 'b'), ref('HTTPRoute', 'a'))],
    ['several sections of one target (T-15)', refs(ref('Gateway', 'a', 'http'), ref('Gateway', 'a', 'https'))],
    ['a single target (T-01)', { targetRef: ref('GRPCRoute', 'a', 'get') }],
    ['16 targets (T-02)', refs(...Array.from({ length: 16 }, (_, index) => ref('Gateway', `g${index}`)))],
  ])('takes %s', (_case, fields) => {
    expect(saysTo(fields)).toEqual([]);
  });

  describe('without targetRef', () => {
    const options = { targetRef: false };
    const one = ref('Gateway', 'a');

    it('accepts targetRefs, and requires them', () => {
      expect(saysTo(refs(one), {}, options)).toEqual([]);
      expect(saysTo({}, {}, options)).toEqual(['/spec: targetRefs must be set']);
      expect(saysTo({ targetRef: one }, {}, options)).toContain('/spec: targetRefs must be set');
    });

    it('takes selectors instead, where the kind has them', () => {
      const targetSelectors = [{ kind: 'Gateway', matchLabels: { tier: 'edge' } }];
      expect(saysTo({ targetSelectors }, { targetSelectors: true }, options)).toEqual([]);
      expect(saysTo({}, { targetSelectors: true }, options)).toEqual([
        '/spec: at least one of targetRefs and targetSelectors must have an entry',
      ]);
    });
  });

  const kinds = `HTTPRoute.${group}`;
  it.each<[string, JsonObject, string]>([
    ['no target', {}, '/spec: exactly one of targetRef and targetRefs must be set'],
    [
      'both forms (T-03)',
      { ...refs(ref('Gateway', 'a')), targetRef: ref('Gateway', 'a') },
      '/spec: exactly one of targetRef and targetRefs must be set',
    ],
    ['an empty list', refs(), '/spec/targetRefs: minItems'],
    [
      '17 targets (T-02)',
      refs(...Array.from({ length: 17 }, (_, index) => ref('Gateway', `g${index}`))),
      '/spec/targetRefs: maxItems',
    ],
    [
      'another kind',
      refs({ group: '', kind: 'Service', name: 'a' }),
      `/spec/targetRefs/0: must be one of Gateway.${group}, HTTPRoute.${group}, GRPCRoute.${group}`,
    ],
    [
      'a kind of another group',
      refs({ ...ref('Gateway', 'a'), group: 'example.com' }),
      `/spec/targetRefs/0: must be one of Gateway.${group}, HTTPRoute.${group}, GRPCRoute.${group}`,
    ],
    [
      'a section of a kind without',
      refs(ref('HTTPRoute', 'a', 'rule')),
      `/spec/targetRefs/0: sectionName may be set only for Gateway.${group}, GRPCRoute.${group}`,
    ],
    [
      'a whole of which only sections are targets',
      refs(ref('GRPCRoute', 'a')),
      `/spec/targetRefs/0: sectionName must be set except for Gateway.${group}, ${kinds}`,
    ],
    [
      'a target twice (T-15)',
      refs(ref('Gateway', 'a'), ref('Gateway', 'a')),
      '/spec/targetRefs: each target may be listed only once',
    ],
    [
      'a section twice (T-15)',
      refs(ref('Gateway', 'a', 'b'), ref('Gateway', 'a', 'b')),
      '/spec/targetRefs: each target may be listed only once',
    ],
    [
      'a target whole and by section (T-15)',
      refs(ref('Gateway', 'a'), ref('Gateway', 'a', 'b')),
      '/spec/targetRefs: a target that is listed more than once needs a sectionName each time',
    ],
    ['no name (T-04)', refs({ group, kind: 'Gateway' }), '/spec/targetRefs/0: required'],
    ['an empty section (T-06)', refs(ref('Gateway', 'a', '')), '/spec/targetRefs/0/sectionName: pattern'],
    [
      'a version in the group (T-06)',
      { targetRef: { ...ref('Gateway', 'a'), group: `${group}/v1` } },
      '/spec/targetRef/group: pattern',
    ],
  ])('refuses %s', (_case, fields, message) => {
    expect(saysTo(fields)).toContain(message);
  });

  it('prunes sections where no kind has any that can be targeted', () => {
    const pair = refs(ref('HTTPRoute', 'a', 'one'), ref('HTTPRoute', 'a', 'two'));
    expect(saysTo(pair, { targets: [HTTPRoute, HTTPRoute.sections.rule] })).toEqual([]);
    expect(saysTo(pair, { targets: [HTTPRoute] })).toEqual(['/spec/targetRefs: each target may be listed only once']);
  });

  it('requires sections if nothing else can be targeted', () => {
    const targets = [Service.sections.port];
    const service = { group: '', kind: 'Service', name: 'a' };
    expect(saysTo(refs(service), { targets })).toEqual(['/spec/targetRefs/0: sectionName must be set']);
    expect(saysTo(refs({ ...service, sectionName: 'http' }), { targets })).toEqual([]);
  });

  it('has namespaces where policies may reach into others (T-09)', () => {
    const pair = refs({ ...ref('Gateway', 'a'), namespace: 'one' }, { ...ref('Gateway', 'a'), namespace: 'two' });
    expect(saysTo(pair)).toEqual(['/spec/targetRefs: each target may be listed only once']);
    expect(saysTo(pair, { crossNamespace: 'granted' })).toEqual([]);
    expect(saysTo(pair, { scope: 'Cluster' })).toEqual([]);
  });

  it('takes other spellings of the core group where the kind does', () => {
    const parts: Parts = { targets: [Service, HTTPRoute], coreGroupSpellings: ['core'], targetSelectors: true };
    const service = (coreGroup: string, name = 'a') => ({ group: coreGroup, kind: 'Service', name });
    const says = (fields: JsonObject) => saysTo(fields, parts);
    expect(says(refs(service('core'), service('', 'b'), ref('HTTPRoute', 'a')))).toEqual([]);
    expect(says({ targetSelectors: [{ group: 'core', kind: 'Service' }] })).toEqual([]);
    expect(says(refs(service('core'), service('')))).toEqual(['/spec/targetRefs: each target may be listed only once']);
    const message = `/spec/targetRefs/0: must be one of Service, HTTPRoute.${group}`;
    expect(says(refs({ ...ref('HTTPRoute', 'a'), group: 'core' }))).toEqual([message]);
    expect(saysTo(refs(service('core')), { ...parts, coreGroupSpellings: [] })).toEqual([message]);
  });

  it('needs no targets where these name their policies (G-03)', () => {
    expect(saysTo({}, { extensionRefs: true })).toEqual([]);
    const both = { ...refs(ref('Gateway', 'a')), targetRef: ref('Gateway', 'a') };
    expect(saysTo(both, { extensionRefs: true })).toEqual(['/spec: set only one of targetRef and targetRefs']);
  });

  describe('with selectors (T-07)', () => {
    const selectors = (...targetSelectors: readonly JsonValue[]) => ({ targetSelectors });
    const says = (fields: JsonObject) => saysTo(fields, { targetSelectors: true });
    const none = '/spec: at least one of targetRefs and targetSelectors must have an entry';

    it('accepts them besides references, and in place of these', () => {
      expect(says(selectors({ kind: 'Gateway', matchLabels: { tier: 'edge' } }))).toEqual([]);
      expect(says({ ...refs(), ...selectors({ group, kind: 'HTTPRoute' }) })).toEqual([]);
      expect(says({ ...refs(ref('Gateway', 'a')), ...selectors() })).toEqual([]);
    });

    it('refuses policies without any target', () => {
      expect(says({})).toEqual([none]);
      expect(says({ ...refs(), ...selectors() })).toEqual([none]);
    });

    it('takes kinds that are targets, and no others', () => {
      const message = `/spec/targetSelectors/0: must be one of Gateway.${group}, HTTPRoute.${group}, GRPCRoute.${group}`;
      expect(says(selectors({ kind: 'TCPRoute' }))[0]).toBe(message);
      expect(says(selectors({ group: '', kind: 'Gateway' }))[0]).toBe(message);
    });

    it('accepts a section of each target if sections are targets, and requires one if only sections are (T-08)', () => {
      const only = '/spec/targetSelectors/0: sectionName may be set only for';
      const must = '/spec/targetSelectors/0: sectionName must be set except for';
      expect(says(selectors({ kind: 'Gateway', sectionName: 'http' }))).toEqual([]);
      expect(says(selectors({ kind: 'GRPCRoute', sectionName: 'rule-1' }))).toEqual([]);
      expect(says(selectors({ kind: 'HTTPRoute', sectionName: 'rule-1' }))).toEqual([
        `${only} Gateway.${group}, GRPCRoute.${group}`,
      ]);
      expect(says(selectors({ kind: 'GRPCRoute' }))).toEqual([`${must} Gateway.${group}, HTTPRoute.${group}`]);
    });

    it('takes as many as the kind allows', () => {
      const many = selectors(...Array<JsonValue>(17).fill({ kind: 'Gateway' }));
      expect(says(many)).not.toEqual([]);
      expect(saysTo(many, { targetSelectors: true, maxTargets: 17 })).toEqual([]);
      expect(saysTo(many, { targetSelectors: true, maxTargets: Number.POSITIVE_INFINITY })).toEqual([]);
    });

    it('requires a selector of namespaces if one is announced', () => {
      const from = (namespaces: JsonObject) => says(selectors({ kind: 'Gateway', namespaces }));
      expect(from({ from: 'All' })).toEqual([]);
      expect(from({ from: 'Selector', selector: { matchLabels: { env: 'prod' } } })).toEqual([]);
      expect(from({ from: 'Selector' })).toEqual(['/spec/targetSelectors/0/namespaces: selector must be set']);
    });
  });
});
