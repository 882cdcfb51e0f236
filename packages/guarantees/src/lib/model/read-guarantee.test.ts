import { structuralChecks } from '@policy-machinery/known-kinds/inner';
import { isJsonObject, type JsonObject, type KubernetesObject } from '@policy-machinery/resource';
import { parseManifests } from '@policy-machinery/resource/manifests';
import { describe, expect, it } from 'vitest';
import { guaranteeDefinition, readGuarantee, verify } from '../../index.ts';
import { topologyOf } from '../../properties/clusters.fixture.ts';

const head = 'apiVersion: verify.policy-machinery/v1alpha1\nkind: Guarantee\nmetadata: { name: safe }\n';

/** What is wrong with a document, each with its line and column. */
function faultsIn(text: string): readonly string[] {
  const manifests = parseManifests(text);
  return manifests.resources
    .flatMap(readGuarantee)
    .flatMap(({ issues }) =>
      issues.map(manifests.locate).map(({ position, message }) => `${position?.line}:${position?.column} ${message}`),
    );
}

describe('readGuarantee', () => {
  it('reads all that a guarantee can say', () => {
    const [resource] = parseManifests(`${head}spec:
  description: Checkout is safe.
  about: requests
  requests:
    gateways: { namespaces: [infra], names: [public], labels: { matchLabels: { tier: edge } } }
    listeners: [https]
    hostnames: ['*.Example.com', shop.test]
    paths: [{ value: /pay }, { type: Exact, value: / }]
    methods: [GET, POST]
    headers: [{ name: X-Canary, value: 'yes' }, { name: cookie }]
    routes: { namespaceLabels: { matchExpressions: [{ key: team, operator: In, values: [shop] }] } }
    backends: { names: [cart] }
    where: route.name != "debug"
  except: [{ paths: [{ value: /healthz }] }]
  holds: listener.tls
`).resources as [KubernetesObject];
    const { guarantee, issues } = readGuarantee(resource);
    expect(issues).toEqual([]);
    expect(guarantee).toMatchObject({ name: 'safe', holds: 'listener.tls', requests: { methods: ['GET', 'POST'] } });
    expect(verify({ topology: topologyOf([]), kinds: [] }, guarantee ? [guarantee] : [])).toMatchObject([
      { answer: 'holds', classes: 0 },
    ]);
  });

  it.each([
    ['a field of no meaning', 'spec: { holds: "true", request: {} }', '4:24 the field request is unknown'],
    ['a field outside of spec', 'holds: "true"', '4:1 the field holds is unknown; remove it, or move it into spec'],
    ['no expression', 'spec: { about: requests }', '4:1 the field holds is missing'],
    [
      'an unknown field of a selector',
      'spec: { holds: "true", except: [{ path: [] }] }',
      '4:35 the field path is unknown',
    ],
    [
      'an empty list, which would select nothing',
      'spec: { holds: "true", requests: { methods: [] } }',
      '4:36 must have',
    ],
    ['a method in lower case', 'spec: { holds: "true", requests: { methods: [get] } }', '4:46 must match the pattern'],
    ['a path without a slash', 'spec: { holds: "true", requests: { paths: [{ value: a }] } }', '4:46 must match'],
    ['a hostname with a port', 'spec: { holds: "true", requests: { hostnames: ["a:80"] } }', '4:48 must match'],
    [
      'requests of policies',
      'spec: { holds: "true", about: policies, except: [{}] }',
      '4:1 a guarantee about policies',
    ],
    ['an expression that is no text', 'spec: { holds: true }', '4:9 must be string, not boolean'],
  ])('refuses %s, with its place', (_, text, fault) => {
    expect(faultsIn(head + text)).toContainEqual(expect.stringContaining(fault));
  });

  it('refuses objects that only look like a guarantee', () => {
    expect(faultsIn(head.replace('v1alpha1', 'v9'))[0]).toContain('is a Guarantee of verify.policy-machinery/v9');
    expect(faultsIn(head.replace('name: safe', 'name: safe, namespace: shop')).join()).toContain(
      'remove the namespace',
    );
  });
});

describe('verify', () => {
  it.each<[string, JsonObject, string]>([
    ['an unknown field', { name: 'a', holds: 'true', excepts: [] }, 'the field excepts is unknown'],
    [
      'a selector that is none',
      { name: 'a', holds: 'true', requests: { routes: { labels: { app: 'a' } } } },
      'app is unknown',
    ],
    [
      'an operator without values',
      {
        name: 'a',
        holds: 'true',
        requests: { routes: { labels: { matchExpressions: [{ key: 'k', operator: 'In' }] } } },
      },
      'In takes at least one value',
    ],
  ])('refuses %s of a guarantee from code', (_, guarantee, message) => {
    const run = () => verify({ topology: topologyOf([]), kinds: [] }, [guarantee as never]);
    expect(run).toThrow(message);
  });

  it('reports all faults at once, and names that come twice', () => {
    const run = () =>
      verify({ topology: topologyOf([]), kinds: [] }, [
        { name: 'a', holds: 'nothing' },
        { name: 'a', holds: 'listener.tls', requests: { where: 'route.nam' } },
      ]);
    expect(run).toThrow(
      /unknown variable nothing.*the name occurs twice.*route does not have the field nam; use name,/s,
    );
  });
});

describe('guaranteeDefinition', () => {
  it('accepts the statuses that the controller writes', () => {
    const [{ schema }] = (guaranteeDefinition.spec as { versions: [{ schema: { openAPIV3Schema: JsonObject } }] })
      .versions;
    const { properties } = schema.openAPIV3Schema;
    const status = isJsonObject(properties) ? (properties.status as JsonObject) : {};
    const condition = { type: 'Holds', status: 'True', reason: 'Holds', message: '', observedGeneration: 1 };
    const check = structuralChecks(status);
    expect(check({ conditions: [{ ...condition, lastTransitionTime: '2026-01-01T00:00:00Z' }] })).toEqual([]);
    expect(check({ conditions: [{ ...condition, status: 'Maybe' }] })).not.toEqual([]);
  });
});
