import type { JsonObject } from '@policy-machinery/resource';
import { describeTargetable } from '@policy-machinery/topology/inner';
import { describe, expect, it } from 'vitest';
import { type CrdParts, crd, reference, references, withRules } from './crd.fixture.ts';
import { policyKindFromCrd } from './policy-kind-from-crd.ts';

function targetsOf(parts: CrdParts): readonly string[] | undefined {
  return policyKindFromCrd(crd(parts)).kind?.targets.map(describeTargetable);
}

const gatewayGroup = 'gateway.networking.k8s.io';
const sectionName = { sectionName: { type: 'string' } };

describe('the targets of a policy kind from a CustomResourceDefinition', () => {
  it.each<[string, JsonObject]>([
    [
      'rules on the reference',
      {
        targetRef: reference([`self.group == '${gatewayGroup}'`, `self.kind == 'HTTPRoute' || self.kind == 'Gateway'`]),
      },
    ],
    [
      'one rule for kind and group',
      { targetRef: reference([`self.kind in ['Gateway', 'HTTPRoute'] && self.group == '${gatewayGroup}'`]) },
    ],
    [
      'rules on the list',
      {
        targetRefs: references([
          `self.all(t, t.kind=='Gateway' || t.kind=='HTTPRoute')`,
          `self.all(t, t.group == "${gatewayGroup}")`,
        ]),
      },
    ],
    [
      'a rule that wants one of the kinds',
      { targetRefs: references([`self.exists(t, t.kind == 'HTTPRoute' || t.kind == 'Gateway')`]) },
    ],
    ['an enumeration', { targetRef: reference([], { kind: { type: 'string', enum: ['HTTPRoute', 'Gateway'] } }) }],
    [
      'a rule that excludes kinds',
      {
        targetRef: reference([
          `!(self.kind in ['GatewayClass', 'ListenerSet', 'XListenerSet', 'GRPCRoute', 'TCPRoute', 'TLSRoute', 'UDPRoute', 'Service', 'Namespace'])`,
        ]),
      },
    ],
  ])('are those that %s allow', (_how, fields) => {
    expect(targetsOf({ fields })).toEqual(['Gateway', 'HTTPRoute']);
  });

  it('are those that rules on the spec allow', () => {
    const rules = [
      'has(self.targetRef) != has(self.targetRefs)',
      `has(self.targetRefs) ? self.targetRefs.all(it, it.group == '${gatewayGroup}') : true`,
      `has(self.targetRefs) ? self.targetRefs.all(it, it.kind in ['Gateway', 'HTTPRoute']) : true`,
      `has(self.targetRef) ? self.targetRef.kind in ['Gateway', 'HTTPRoute'] : true`,
      `!has(self.mode) || self.targetRefs.all(it, it.kind == 'HTTPRoute')`,
    ];
    const fields = { targetRef: reference(), targetRefs: references(), mode: { type: 'string' } };
    expect(targetsOf({ fields, spec: withRules(rules) })).toEqual(['Gateway', 'HTTPRoute']);
  });

  it('include sections if references may name them', () => {
    const fields = { targetRef: reference([`self.kind == 'Gateway'`], sectionName) };
    expect(targetsOf({ fields })).toEqual(['Gateway', 'Gateway listener']);
  });

  it('are sections alone if each reference must name one', () => {
    const fields = { targetRef: reference([`self.kind == 'Gateway' && has(self.sectionName)`], sectionName) };
    expect(targetsOf({ fields })).toEqual(['Gateway listener']);
  });

  it.each([
    ['one that is cluster-scoped', ['GatewayClass'], {}, 'refuse', 'allow'],
    ['any Namespace', ['Namespace'], {}, 'allow', 'refuse'],
    ['one in another namespace', ['Gateway'], { namespace: { type: 'string' } }, 'granted', 'refuse'],
    ['one of both', ['Gateway', 'GatewayClass'], { namespace: { type: 'string' } }, 'granted', 'allow'],
    ['none in another namespace', ['Gateway'], {}, 'refuse', 'refuse'],
  ])('may be %s', (_what, kinds, more, crossNamespace, clusterScopedTargets) => {
    const rules = [`self.kind in [${kinds.map((kind) => `'${kind}'`).join(', ')}]`];
    expect(policyKindFromCrd(crd({ fields: { targetRef: reference(rules, more) } })).kind).toMatchObject({
      crossNamespace,
      clusterScopedTargets,
    });
  });

  it('include kinds that only the schema names', () => {
    const fields = { targetRef: reference([`self.group == 'shop.example.com' && self.kind == 'Till'`]) };
    expect(targetsOf({ fields })).toEqual(['Till']);
  });

  it('are of any kind if nothing restricts them, with a note', () => {
    const { kind, notes } = policyKindFromCrd(crd({ fields: { targetRef: reference() } }));
    expect(kind?.targets.map(describeTargetable)).toContain('UDPRoute');
    expect(notes).toContain('The schema allows targets of any kind.');
  });

  it('are not restricted by rules about other things, or that cannot be evaluated', () => {
    const rules = [
      'self.all(a, self.exists_one(b, a.name == b.name))',
      `self.all(t, t.kind.lowerAscii() == 'gateway')`,
    ];
    expect(targetsOf({ fields: { targetRefs: references(rules) } })).toContain('HTTPRoute');
  });

  it('may be in the core group in another spelling', () => {
    const rules = [`self.all(t, t.kind == 'Service')`, `self.exists(t, t.group == '' || t.group == 'core')`];
    const { kind } = policyKindFromCrd(crd({ fields: { targetRefs: references(rules) } }));
    expect(kind?.coreGroupSpellings).toEqual(['core']);
    expect(kind?.targets.map(describeTargetable)).toEqual(['Service']);
  });

  it.each<[string, JsonObject]>([
    [
      'references without a group, as those of autoscalers',
      { targetRef: { type: 'object', properties: { kind: { type: 'string' }, name: { type: 'string' } } } },
    ],
    [
      'references without a name',
      {
        targetRefs: references([], {
          type: 'object',
          properties: { group: { type: 'string' }, kind: { type: 'string' } },
        }),
      },
    ],
    ['no references', { attempts: { type: 'integer' } }],
  ])('are none with %s: then no policy kind exists', (_how, fields) => {
    expect(policyKindFromCrd(crd({ fields, label: 'Direct' })).kind).toBeUndefined();
  });
});
