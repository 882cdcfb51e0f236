import { gatewayApi } from '@policy-machinery/gateway-api';
import type { Tracer } from '@policy-machinery/observability';
import { specOf } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import type { EffectivePoliciesChange } from '../controller-options.ts';
import { configured } from '../kinds/configured-kind.ts';
import { at, createWorld, gateway, route, TimeoutPolicy, timeouts } from '../world.fixture.ts';
import type { Watch } from './watch.ts';

const Secret = { group: '', kind: 'Secret' };
const secret = (name: string, namespace = 'shop') => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace },
  data: { key: 'c2VjcmV0' },
});
const objects = [gateway('edge'), route('cart', 'edge'), timeouts('slow', 'Gateway edge', { request: 'key' })];

/** A policy is in force if there is a Secret with the name in its field `request`. */
const judged = configured(TimeoutPolicy, {
  verdict({ resource, layers }, read) {
    const name = layers[0]?.spec.request ?? '';
    const { namespace } = resource.metadata;
    if (read.get(Secret, { namespace, name }) !== undefined) return undefined;
    return { reason: 'NoSecret', message: `The Secret ${name} does not exist; create it.` };
  },
});

function start(watch: Partial<Watch> = {}, more: Parameters<typeof createWorld>[0] = {}) {
  const calls: (readonly string[])[] = [];
  const onEffective = ({ targets }: EffectivePoliciesChange) => void calls.push(targets);
  const controller = { policyKinds: [judged], watches: [{ kind: Secret, ...watch }], onEffective };
  const world = createWorld({ objects, ...more, controller: { ...controller, ...more.controller } });
  return { world, calls, ...world.start() };
}

describe('a watched Secret', () => {
  it('reaches the status of the policy that refers to it, and the callback, when it comes and when it goes', async () => {
    const { world, calls, stop } = start();
    await world.settle();
    expect(world.saidOn(at.policy('slow'))).toEqual(['Accepted=False/NoSecret']);
    expect(calls).toEqual([]);
    const before = world.writes.length;
    world.server.create(secret('key'));
    await world.settle();
    expect(world.saidOn(at.policy('slow'))).toContain('Accepted=True/Accepted');
    world.server.delete('secret:shop/key');
    await world.settle();
    expect(world.saidOn(at.policy('slow'))).toEqual(['Accepted=False/NoSecret']);
    expect(calls).toEqual([[at.route('cart')], [at.route('cart')]]);
    const writes = world.writes.slice(before);
    expect(writes.filter((it) => it.startsWith('timeoutpolicies'))).toHaveLength(2);
    await stop();
  });

  it('takes one round from its change to the status of the policy, and to the callback', async () => {
    let rounds = 0;
    const roundsUntil = { call: 0, write: 0 };
    const traces: Tracer = {
      span(name, _attributes, task) {
        if (name === 'slice') rounds += 1;
        if (name === 'write') roundsUntil.write = rounds;
        return task();
      },
    };
    const onEffective = () => {
      roundsUntil.call = rounds;
    };
    const { world, stop } = start({}, { controller: { traces, onEffective } });
    for (const change of [
      () => void world.server.create(secret('key')),
      () => world.server.delete('secret:shop/key'),
    ]) {
      await world.settle();
      rounds = 0;
      change();
      await world.clock.advance(1000);
      expect(roundsUntil).toEqual({ call: 1, write: 1 });
    }
    await stop();
  });

  it('holds everything up until it is known whether it exists, so that no status is ever wrong', async () => {
    const { world, stop } = start({}, { objects: [...objects, secret('key')] });
    const late = world.server.addFaults({ at: 'watch secrets', times: 5, do: { delay: 5000 } });
    await world.settle(4000);
    expect(world.writes).toEqual([]);
    late();
    await world.settle(60_000);
    expect(world.saidOn(at.policy('slow'))).toContain('Accepted=True/Accepted');
    const sent = world.server.requests.filter(({ verb }) => verb === 'patch').map(({ body }) => JSON.stringify(body));
    expect(sent.join()).not.toContain('NoSecret');
    await stop();
  });

  it('is read without its contents, with metadataOnly', async () => {
    const { world, controller, stop } = start({ metadataOnly: true }, { objects: [...objects, secret('key')] });
    await world.settle();
    expect(controller.objects.get(Secret, { namespace: 'shop', name: 'key' })).toMatchObject({ kind: 'Secret' });
    expect(JSON.stringify(controller.objects.list(Secret))).not.toContain('c2VjcmV0');
    expect(world.saidOn(at.policy('slow'))).toContain('Accepted=True/Accepted');
    await stop();
  });

  it('does not exist outside of the namespaces and labels that are watched', async () => {
    const more = { namespaces: ['shop', 'vault'], objects: [...objects, secret('key'), secret('key', 'vault')] };
    const { world, controller, stop } = start({ namespaces: ['vault'] }, more);
    await world.settle();
    expect(controller.objects.list(Secret).map(({ metadata }) => metadata.namespace)).toEqual(['vault']);
    expect(controller.objects.list(Secret, 'shop')).toEqual([]);
    expect(world.saidOn(at.policy('slow'))).toEqual(['Accepted=False/NoSecret']);
    await stop();
  });
});

describe('a verdict', () => {
  it('is asked for again only when something changes that it has read', async () => {
    const asked: string[] = [];
    const kind = configured(TimeoutPolicy, {
      verdict({ resource }, read) {
        const { name, namespace } = resource.metadata;
        asked.push(name);
        if (name === 'slow') read.get(Secret, { namespace, name: 'key' });
        else read.list(Secret, namespace);
        return undefined;
      },
    });
    const all = [...objects, timeouts('fast', 'HTTPRoute cart', { idle: '1s' }), secret('key'), secret('other')];
    const { world, stop } = start(
      {},
      { namespaces: ['shop', 'vault'], objects: all, controller: { policyKinds: [kind] } },
    );
    await world.settle();
    const askedAfter = async (change: () => void) => {
      asked.length = 0;
      change();
      await world.settle();
      return asked.filter((it, index) => asked.indexOf(it) === index).sort();
    };
    let edits = 0;
    const label = (name: string) => () => {
      edits += 1;
      const labels = { edit: String(edits) };
      world.server.update(`secret:shop/${name}`, (it) => ({ ...it, metadata: { ...it.metadata, labels } }));
    };
    expect(await askedAfter(label('key'))).toEqual(['fast', 'slow']);
    expect(await askedAfter(label('other'))).toEqual(['fast']);
    expect(await askedAfter(() => void world.server.create(secret('key', 'vault')))).toEqual([]);
    expect(await askedAfter(label('key'))).toEqual(['fast', 'slow']);
    await stop();
  });

  it('about a kind that is not watched becomes an issue that says so', async () => {
    const { world, controller, stop } = start({ kind: { group: '', kind: 'ConfigMap' } });
    await world.settle();
    const [issue] = controller.effective(TimeoutPolicy).issues;
    expect(issue?.message).toContain('the controller does not watch Secret; add it to watches');
    await stop();
  });
});

describe('the functions of a watch', () => {
  const ConfigMap = { group: '', kind: 'ConfigMap' };
  const configMap = (name: string, data: object) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'shop' },
    data,
  });

  it('lead to the policies and targets that they return', async () => {
    let isFrozen = false;
    const calls: (readonly string[])[] = [];
    const kind = configured(TimeoutPolicy, {
      verdict: () => (isFrozen ? { message: 'Frozen.' } : undefined),
    });
    const watch: Watch = {
      kind: ConfigMap,
      reconsider({ ref, object }) {
        if (ref.name !== 'freeze') return [];
        isFrozen = JSON.stringify(object ?? {}).includes('"is":"true"');
        return [at.policy('slow')];
      },
      requeue: ({ ref }) => (ref.name === 'ports' ? [at.route('cart'), at.route('gone')] : []),
    };
    const onEffective = ({ targets }: EffectivePoliciesChange) => void calls.push(targets);
    const world = createWorld({ objects, controller: { policyKinds: [kind], watches: [watch], onEffective } });
    const { stop } = world.start();
    await world.settle();
    world.server.create(configMap('ports', {}));
    await world.settle();
    expect(calls).toEqual([[at.route('cart')], [at.route('cart')]]);
    world.server.create(configMap('freeze', { is: 'true' }));
    await world.settle();
    expect(world.saidOn(at.policy('slow'))).toEqual(['Accepted=False/Invalid']);
    world.server.delete('configmap:shop/freeze');
    await world.settle();
    expect(world.saidOn(at.policy('slow'))).toContain('Accepted=True/Accepted');
    await stop();
  });

  it('lead to all policies if they throw, because any may depend on the change', async () => {
    let asked = 0;
    const kind = configured(TimeoutPolicy, {
      verdict() {
        asked += 1;
        return undefined;
      },
    });
    const watch: Watch = {
      kind: ConfigMap,
      reconsider({ object }) {
        throw new TypeError(`no data in ${Object.keys(specOf(object ?? configMap('none', {})))}`);
      },
    };
    const world = createWorld({ objects, controller: { policyKinds: [kind], watches: [watch] } });
    const { stop } = world.start();
    await world.settle();
    asked = 0;
    world.server.create(configMap('broken', {}));
    await world.settle();
    expect(asked).toBe(1);
    expect(world.logged).toContainEqual(
      expect.stringMatching(/^error: a function of watches failed.*configmap:shop\/broken/),
    );
    await stop();
  });
});

describe('the namespaces of a controller', () => {
  it('are the only ones that it reads and writes in', async () => {
    const elsewhere = [gateway('far'), timeouts('far', 'Gateway far', { request: '1s' })].map((it) => ({
      ...it,
      metadata: { ...it.metadata, namespace: 'else' },
    }));
    const options = { namespaces: ['shop', 'else'], objects: [...objects, ...elsewhere] };
    const world = createWorld({ ...options, controller: { namespaces: ['shop'] } });
    const { controller, stop } = world.start();
    await world.settle();
    expect(controller.topology.policies(TimeoutPolicy).map(({ locator }) => locator)).toEqual([at.policy('slow')]);
    const clusterWide = world.server.requests.filter(
      ({ verb, namespace }) => (verb === 'list' || verb === 'watch') && namespace === undefined,
    );
    expect(new Set(clusterWide.map(({ resource }) => resource))).toEqual(new Set(['gatewayclasses', 'namespaces']));
    expect(world.writes).toEqual(['timeoutpolicies/status slow', 'gateways/status edge']);
    await stop();
  });

  it('cannot be selected by watches for a kind that is watched anyway', () => {
    const [kind = Secret] = gatewayApi();
    expect(() => createWorld().start({ watches: [{ kind }] })).toThrow(
      /is watched already.*select objects of target kinds in kinds/,
    );
  });
});
