import type { Transport } from '@policy-machinery/cluster';
import { isJsonObject, type JsonObject, objectsIn } from '@policy-machinery/resource';
import type { FakeApiServer } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import { conformanceChecks } from '../index.ts';
import { direct, implementationOf, merged, type Subject } from './conformance.fixture.ts';

type Change = (object: JsonObject) => JsonObject;

/** A connection on which objects look as if another implementation had written them. */
function altered(transport: Transport, change: Change): Transport {
  const changed = (body: unknown): unknown => {
    if (!isJsonObject(body)) return body;
    if (Array.isArray(body.items)) return { ...body, items: objectsIn(body.items).map(change) };
    return change(body);
  };
  return {
    async request(request) {
      const response = await transport.request(request);
      return {
        ...response,
        text: () => response.text(),
        json: async () => changed(await response.json()),
        async *lines() {
          for await (const line of response.lines()) {
            const event: JsonObject = JSON.parse(line);
            yield JSON.stringify({ ...event, object: changed(event.object) });
          }
        },
      };
    },
  };
}

const statusOf = ({ status }: JsonObject): JsonObject => (isJsonObject(status) ? status : {});
const isPolicy = ({ kind }: JsonObject) => kind === undefined || kind === 'ColorPolicy'; // Items of lists may have no kind.

/** Changes the conditions of policies. Conditions for which the function returns nothing are removed. */
const conditions =
  (change: (condition: JsonObject, policy: JsonObject) => JsonObject | undefined): Change =>
  (object) => {
    const status = statusOf(object);
    if (!isPolicy(object) || !Array.isArray(status.ancestors)) return object;
    const ancestors = objectsIn(status.ancestors).map((entry) => ({
      ...entry,
      conditions: objectsIn(entry.conditions).flatMap((it) => change(it, object) ?? []),
    }));
    return { ...object, status: { ...status, ancestors } };
  };
const reason = (from: string, to: JsonObject): Change =>
  conditions((it) => (it.reason === from ? { ...it, ...to } : it));
const ancestors =
  (change: (entries: readonly JsonObject[]) => readonly JsonObject[]): Change =>
  (object) => {
    const status = statusOf(object);
    if (!Array.isArray(status.ancestors)) return object;
    return { ...object, status: { ...status, ancestors: [...change(objectsIn(status.ancestors))] } };
  };

const accepts: Change = conditions((it) =>
  it.type === 'Accepted' ? { ...it, status: 'True', reason: 'Accepted' } : it,
);
const programmed = { status: 'True', reason: 'Programmed' };
const nameOf = ({ metadata }: JsonObject) => (isJsonObject(metadata) ? metadata.name : undefined);

/** Changes the schema of the version in a definition. */
const definition =
  (change: (version: JsonObject) => JsonObject): Change =>
  (object) => {
    const { spec } = object;
    if (object.kind !== 'CustomResourceDefinition' || !isJsonObject(spec)) return object;
    return { ...object, spec: { ...spec, versions: objectsIn(spec.versions).map(change) } };
  };
const withoutField = (name: string): Change =>
  definition((version) => JSON.parse(JSON.stringify(version, (key, value) => (key === name ? undefined : value))));

/** Writes the status of each policy again and again, as controllers do that never settle. */
function restless({ server, clock }: { readonly server: FakeApiServer; readonly clock: Clock }): void {
  clock.setTimeout(() => {
    for (const policy of server.list({ group: 'colors.example.com', kind: 'ColorPolicy' })) {
      const locator = `colorpolicy.colors.example.com:${policy.metadata.namespace}/${policy.metadata.name}`;
      const note = String(clock.now());
      server.update(locator, (it) => ({ ...it, status: { ...statusOf(it as unknown as JsonObject), note } }));
    }
    restless({ server, clock });
  }, 2000);
}

interface Clock {
  now(): number;
  setTimeout(callback: () => void, ms: number): () => void;
}

interface Broken {
  readonly subject?: Subject;
  readonly change?: Change;
  readonly isRestless?: boolean;
}

/** For each check, an implementation that must fail it. */
const broken: Readonly<Record<string, Broken>> = {
  'target-refs-in-crd': { change: (object) => withoutField('targetRefs')(withoutField('targetRef')(object)) },
  'conditions-in-crd': { change: withoutField('lastTransitionTime') },
  'ancestors-in-crd': { change: withoutField('controllerName') },
  'status-subresource': { change: withoutField('subresources') },
  'target-found': { change: reason('Accepted', { reason: 'Valid' }) },
  'target-not-found': { change: reason('TargetNotFound', { reason: 'Invalid' }) },
  'section-not-found': { change: accepts },
  'rejected-is-not-programmed': {
    change: conditions((it) => (it.status === 'False' ? { ...it, type: 'Programmed' } : it)),
  },
  'reference-grant': { change: accepts },
  'none-oldest-stays': { subject: direct, change: accepts },
  'none-first-name-stays': { subject: direct, change: accepts },
  'none-next-follows': {
    subject: direct,
    change: conditions((it, policy) =>
      nameOf(policy) === 'a-newer' ? { ...it, status: 'False', reason: 'Conflicted' } : it,
    ),
  },
  'atomic-defaults': { change: reason('Overridden', programmed) },
  'atomic-overrides': { change: reason('Overridden', programmed) },
  'atomic-overrides-by-age': { change: reason('Overridden', programmed) },
  'atomic-overrides-by-name': { change: reason('Overridden', programmed) },
  'patch-defaults': { change: reason('PartiallyProgrammed', programmed) },
  'patch-overrides': { change: reason('PartiallyProgrammed', programmed) },
  'one-strategy-at-a-time': { change: accepts },
  'partially-programmed': { change: reason('PartiallyProgrammed', programmed) },
  'overridden-by': { change: reason('Overridden', { message: 'Overridden.' }) },
  'an-entry-for-each-gateway': { change: ancestors(([first]) => (first === undefined ? [] : [first])) },
  'entries-of-others-stay': {
    change: ancestors((entries) => entries.filter((it) => String(it.controllerName).startsWith('colors.'))),
  },
  'no-war': { isRestless: true },
  'observed-generation': { change: conditions((it) => ({ ...it, observedGeneration: 1 })) },
  'transition-time': {
    change: conditions((it) => ({ ...it, lastTransitionTime: `2026-01-01T00:00:0${it.observedGeneration}Z` })),
  },
  'no-write-without-change': { isRestless: true },
  'affected-condition': {
    change: (object) => ({ ...object, status: { ...statusOf(object), conditions: [] } }),
  },
  'affected-generation': {
    change: (object) => {
      const status = statusOf(object);
      const marks = objectsIn(status.conditions).map((it) => ({ ...it, observedGeneration: 1 }));
      return object.kind === 'Gateway' ? { ...object, status: { ...status, conditions: marks } } : object;
    },
  },
};

describe('a broken implementation', () => {
  it('is known for each check', () => {
    expect(Object.keys(broken).toSorted()).toEqual(conformanceChecks.map(({ id }) => id).sort());
  });

  it.each(Object.entries(broken))('fails %s', async (id, { subject = merged, change, isRestless = false }) => {
    const implementation = implementationOf(subject);
    const { server, clock } = implementation;
    if (isRestless) restless({ server, clock });
    const connection = change === undefined ? server.transport : altered(server.transport, change);
    const { results } = await implementation.check({ only: [id], timeout: 5000 }, connection);
    await implementation.stop();
    expect(results.map(({ result }) => result)).toEqual(['failed']);
    expect(results[0]?.message).not.toMatch(/TypeError|cannot be read/);
  });
});
