import { type MergeStrategy, originsAt, trace } from '@policy-machinery/merge';
import type { JsonObject } from '@policy-machinery/resource';
import { defineTargetKind, type TargetNode } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { agentgateway } from './agentgateway.ts';
import { gloo } from './gloo.ts';

const parent = (spec: JsonObject) => trace(spec, 'parent');
const child = (spec: JsonObject) => trace(spec, 'child');

describe('agentgateway', () => {
  const read = (spec: JsonObject) => agentgateway().stanzas.read(spec);
  const above = { traffic: { cors: 1, retry: 1 }, backend: { tls: 1 } };
  const below = { traffic: { retry: 2, timeouts: 2 }, backend: { tls: 2, tcp: 2 } };

  function merged(strategy: JsonObject | undefined, spec: JsonObject): JsonObject | undefined {
    const [layer] = read({ targetRefs: [], ...(strategy && { strategy }), ...spec }).layers;
    return layer?.strategy[layer.stanza]?.(parent(layer.spec), child(below)).value;
  }

  it.each([[undefined], [{}], [{ inheritance: 'Default' }]])(
    'merges the fields of each part, and lets the more specific ones prevail, with strategy %j (O-01)',
    (strategy) => {
      expect(merged(strategy, above)).toEqual({
        traffic: { cors: 1, retry: 2, timeouts: 2 },
        backend: { tls: 2, tcp: 2 },
      });
    },
  );

  it('keeps the traffic settings of a policy under Override, and takes others of more specific policies (O-02)', () => {
    expect(merged({ inheritance: 'Override' }, { traffic: above.traffic })).toEqual({
      traffic: { cors: 1, retry: 1, timeouts: 2 },
      backend: { tls: 2, tcp: 2 },
    });
  });

  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      'kinds of rate limits',
      { rateLimit: { local: 1 } },
      { rateLimit: { global: 2 } },
      { rateLimit: { local: 1, global: 2 } },
    ],
    [
      'conditional rate limits',
      { rateLimit: { local: 1 } },
      { rateLimit: { conditional: 2 } },
      { rateLimit: { conditional: 2 } },
    ],
    [
      'rate limits after conditional ones',
      { rateLimit: { conditional: 1 } },
      { rateLimit: { local: 2 } },
      { rateLimit: { local: 2 } },
    ],
    [
      'headers of requests and responses',
      { headerModifiers: { request: 1 } },
      { headerModifiers: { response: 2 } },
      { headerModifiers: { request: 1, response: 2 } },
    ],
    ['a buffer, which stays as it is above', { buffer: 1 }, { buffer: 2, cors: 2 }, { buffer: 1, cors: 2 }],
  ])('merges %s', (_, traffic, challenger, expected) => {
    const [layer] = read({ traffic }).layers;
    expect(layer?.strategy.defaults?.(parent(layer.spec), child({ traffic: challenger })).value).toEqual({
      traffic: expected,
    });
  });

  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      'the parts of AI settings',
      { ai: { promptGuard: 1, defaults: 1 } },
      { ai: { defaults: 2 } },
      { ai: { promptGuard: 1, defaults: 2 } },
    ],
    [
      'the parts of MCP settings',
      { mcp: { guardrails: 1 } },
      { mcp: { authentication: 2 } },
      { mcp: { guardrails: 1, authentication: 2 } },
    ],
    ['whole other settings', { tls: { sni: 1 } }, { tls: { alpn: 2 } }, { tls: { alpn: 2 } }],
  ])('merges %s of backends', (_, backend, challenger, expected) => {
    const [layer] = read({ backend }).layers;
    expect(layer?.strategy.defaults?.(parent(layer.spec), child({ backend: challenger })).value).toEqual({
      backend: expected,
    });
  });

  it('keeps the exporter of access logs beside another filter', () => {
    const [layer] = read({ frontend: { accessLog: { filter: 'x', otlp: 1 } } }).layers;
    const meet = (accessLog: JsonObject) =>
      layer?.strategy.defaults?.(parent(layer.spec), child({ frontend: { accessLog } })).value;
    expect(meet({ filter: 'y' })).toEqual({ frontend: { accessLog: { filter: 'y', otlp: 1 } } });
    expect(meet({ otlp: 2 })).toEqual({ frontend: { accessLog: { otlp: 2 } } });
  });

  it('separates the phase before routing, with settings that other phases do not replace', () => {
    const specOf = (traffic: JsonObject) => read({ traffic }).layers[0]?.spec;
    expect(specOf({ phase: 'PreRouting', cors: 1 })).toEqual({ preRouting: { cors: 1 } });
    expect(specOf({ phase: 'PostRouting', cors: 1 })).toEqual({ traffic: { cors: 1 } });
    expect(specOf({ cors: 1 })).toEqual({ traffic: { cors: 1 } });
  });

  it.each<[string, JsonObject]>([
    ['another value', { strategy: { inheritance: 'Merge' }, traffic: {} }],
    ['a policy without traffic settings', { strategy: { inheritance: 'Override' }, backend: {} }],
    ['a policy with other settings', { strategy: { inheritance: 'Override' }, traffic: {}, frontend: {} }],
    ['something else than an object', { strategy: 'Override!', traffic: {} }],
  ])('refuses %s', (_, spec) => {
    expect(read(spec).faults.map(({ pointer }) => pointer)).toEqual(['/spec/strategy/inheritance']);
  });

  it('keeps targets and the strategy out of the spec', () => {
    expect(read({ targetRefs: [], targetSelectors: [], strategy: {}, traffic: {} }).layers[0]?.spec).toEqual({
      traffic: {},
    });
  });
});

describe('gloo', () => {
  const above = { options: { timeout: 1, retries: 1 } };
  const below = { options: { timeout: 2, cors: 2 } };
  const Route = defineTargetKind({ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' });

  /** Merges the options of a child with those of its parent, which has the annotation. */
  function merged(annotation: string | undefined) {
    const { strategyChooser, stanzas } = gloo();
    const annotations = { ...(annotation && { 'delegation.gateway.solo.io/enable-policy-overrides': annotation }) };
    const resource = { apiVersion: 'v1', kind: Route.kind, metadata: { name: 'parent', annotations } };
    const [layer] = stanzas.read(above).layers;
    if (layer === undefined) throw new Error('no layer');
    const attached = { layer: { ...layer, policy: {} as never }, target: { resource } as TargetNode };
    const { strategy, stanza }: { strategy: MergeStrategy; stanza: 'defaults' | 'overrides' } = strategyChooser.choose(
      attached,
      attached,
    );
    return strategy[stanza]?.(parent(above), child(below));
  }

  const parentFirst = { timeout: 1, retries: 1, cors: 2 };
  const childFirst = { timeout: 2, retries: 1, cors: 2 };

  it.each<[string, string | undefined, JsonObject]>([
    ['prefers the parent, and adds what the parent has not (O-03)', undefined, parentFirst],
    ['prefers the child in all fields', '*', childFirst],
    ['prefers the child in the fields of a list (O-04)', 'cors, timeout', childFirst],
    ['finds fields in whatever case', 'Timeout', childFirst],
    ['prefers the parent in all other fields', 'retries', parentFirst],
    ['prefers the parent if the list names no field', 'no-such-field,', parentFirst],
  ])('%s: %s', (_, annotation, options) => {
    expect(merged(annotation)?.value).toEqual({ options });
  });

  it('has the origin of each field', () => {
    const result = merged('timeout');
    const setBy = ['timeout', 'retries', 'cors'].map(
      (field) => result && originsAt(result.origins, `/options/${field}`),
    );
    expect(setBy).toEqual([['child'], ['parent'], ['child']]);
  });
});
