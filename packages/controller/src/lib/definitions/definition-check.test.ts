import { customResourceDefinition } from '@policy-machinery/crd';
import { gatewayApi } from '@policy-machinery/gateway-api';
import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { configured } from '../kinds/configured-kind.ts';
import { createWorld, TimeoutPolicy } from '../world.fixture.ts';

const { definition } = customResourceDefinition(TimeoutPolicy);
type Version = { readonly name: string; readonly schema: { readonly openAPIV3Schema: JsonObject } };

/** Returns the definition with other parts of its spec, or of its one version. */
function edited(change: (version: Version) => object, spec: object = {}): KubernetesObject {
  const [version] = definition.spec.versions as unknown as readonly [Version];
  return { ...definition, spec: { ...definition.spec, versions: [{ ...version, ...change(version) }], ...spec } };
}

/** Returns the schema of a version with other properties of the spec. */
function withProperties(change: (properties: JsonObject) => JsonObject) {
  return ({ schema: { openAPIV3Schema } }: Version) => {
    const copy = structuredClone(openAPIV3Schema) as { properties: { spec: { properties: JsonObject } } };
    copy.properties.spec.properties = change(copy.properties.spec.properties);
    return { schema: { openAPIV3Schema: copy } };
  };
}

/** Returns the differences that a controller logs on an API server with a definition, and what else it warns of. */
async function warningsOn(installed: KubernetesObject, policyKind = configured(TimeoutPolicy, {})) {
  const world = createWorld({ kinds: gatewayApi(), objects: [installed], controller: { policyKinds: [policyKind] } });
  const { stop } = world.start();
  await world.settle();
  const warnings = world.logged.filter((line) => line.includes('the installed CustomResourceDefinition'));
  await stop();
  return warnings.map((line) => JSON.parse(line.slice(line.indexOf('{'))).differences as readonly string[]);
}

describe('a controller', () => {
  it('says nothing about the CustomResourceDefinition that the declaration of its kind leads to', async () => {
    expect(await warningsOn(definition)).toEqual([]);
  });

  it.each<[string, KubernetesObject, readonly string[]]>([
    [
      'drops a field',
      edited(withProperties(({ request: _, ...others }) => others)),
      ['v1: /spec/request is missing, so the API server drops it'],
    ],
    [
      'has a field that the declaration does not have',
      edited(withProperties((properties) => ({ ...properties, legacy: { type: 'string' } }))),
      ['v1: /spec/legacy is not in the declaration'],
    ],
    [
      'takes other values',
      edited(withProperties((properties) => ({ ...properties, request: { type: 'integer' } }))),
      ['v1: /spec/request has another type'],
    ],
    ['has no status subresource', edited(() => ({ subresources: {} })), ['v1 does not have a status subresource']],
    [
      'stores another version',
      edited(() => ({ storage: false }), {
        versions: [
          { ...(definition.spec.versions as unknown as readonly object[])[0], storage: false },
          { ...(definition.spec.versions as unknown as readonly object[])[0], name: 'v1beta1' },
        ],
      }),
      ['it does not store v1'],
    ],
  ])('warns of an installed one that %s', async (_, installed, differences) => {
    expect(await warningsOn(installed)).toEqual([differences]);
  });

  it('takes the options into account that the definition is generated with', async () => {
    const options = { status: 'conditions' as const };
    const installed = customResourceDefinition(TimeoutPolicy, options).definition;
    expect(await warningsOn(installed)).not.toEqual([]);
    expect(await warningsOn(installed, configured(TimeoutPolicy, { definition: options }))).toEqual([]);
  });

  it('goes on without the right to read definitions', async () => {
    const world = createWorld();
    world.server.forbid('get customresourcedefinitions');
    const { controller, stop } = world.start();
    await world.settle();
    expect(controller.isSynced).toBe(true);
    expect(world.logged.filter((line) => line.startsWith('warn'))).toEqual([]);
    await stop();
  });

  it('compares again when a definition comes back', async () => {
    const world = createWorld({ kinds: gatewayApi(), objects: [definition] });
    const { stop } = world.start();
    await world.settle();
    world.server.uninstall(TimeoutPolicy);
    await world.settle(60_000);
    world.server.create(edited(withProperties(({ request: _, ...others }) => others)));
    await world.settle(60_000);
    expect(world.logged.filter((line) => line.includes('/spec/request is missing'))).toHaveLength(1);
    await stop();
  });
});

describe('a policy kind that is served in a version which the controller does not read', () => {
  const newer = { ...TimeoutPolicy, versions: ['v2'] };

  it('holds everything up, with the versions, and can be read with another choice of versions', async () => {
    const calls: unknown[] = [];
    const onEffective = (change: unknown) => void calls.push(change);
    const options = { kinds: [...gatewayApi(), newer], objects: [], controller: { onEffective } };
    const world = createWorld(options);
    const { controller, stop } = world.start();
    await world.settle(60_000);
    expect(controller.heldUpBy).toEqual([
      {
        kind: 'TimeoutPolicy.timeouts.example.com',
        message:
          'TimeoutPolicy.timeouts.example.com is served as v2, and can be read as v1; serve one of these versions, or update the program',
      },
    ]);
    expect(calls).toEqual([]);
    await stop();

    const reading = createWorld(options);
    const versions = { 'TimeoutPolicy.timeouts.example.com': { versions: ['v2'] } };
    const other = reading.start({ kinds: versions });
    await reading.settle();
    expect(other.controller.isSynced).toBe(true);
    await other.stop();
  });
});
