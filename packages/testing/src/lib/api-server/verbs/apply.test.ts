import { describe, expect, it } from 'vitest';
import { createFakeApiServer, createFakeClock, type ServerObject } from '../../../index.ts';

const path = '/apis/gateway.networking.k8s.io/v1/namespaces/default/httproutes/cart';
const names = { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', metadata: { name: 'cart' } };
const locator = 'httproute.gateway.networking.k8s.io:default/cart';

function setUp() {
  const clock = createFakeClock();
  const server = createFakeApiServer({ clock, kinds: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' }] });
  const apply = async (manager: string, object: object, { force = false, status = false } = {}) => {
    const { transport } = server;
    const response = await transport.request({
      method: 'PATCH',
      path: status ? `${path}/status` : path,
      query: { fieldManager: manager, ...(force ? { force: 'true' } : {}) },
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: JSON.stringify({ ...names, ...object }),
    });
    return { status: response.status, body: (await response.json()) as ServerObject & { message?: string } };
  };
  return { clock, server, apply };
}

const accepted = (status: string) => ({ type: 'Accepted', status, reason: 'Fine' });

describe('a server-side apply', () => {
  it('creates an object that does not exist', async () => {
    const { apply } = setUp();
    expect(await apply('one', { spec: { a: 1 } })).toMatchObject({ status: 201, body: { spec: { a: 1 } } });
  });

  it('does not create an object for a known uid or for a status', async () => {
    const { apply } = setUp();
    expect(await apply('one', { metadata: { name: 'cart', uid: 'other' } })).toMatchObject({ status: 409 });
    expect(await apply('one', { status: {} }, { status: true })).toMatchObject({ status: 404 });
  });

  it('removes fields that its manager no longer sets, unless another one does', async () => {
    const { apply, server } = setUp();
    await apply('one', { spec: { a: 1, b: 2 } });
    await apply('two', { spec: { b: 2 } });
    await apply('one', { spec: {} });
    expect(server.get(locator)?.spec).toEqual({ b: 2 });
  });

  it('conflicts with the owner of a field that it would change, until it is forced', async () => {
    const { apply, server } = setUp();
    await apply('one', { spec: { a: 1 } });
    const { status, body } = await apply('two', { spec: { a: 2 } });
    expect([status, body.message]).toEqual([409, 'Apply failed with 1 conflict: conflict with "one": .spec.a']);
    expect(await apply('two', { spec: { a: 2 } }, { force: true })).toMatchObject({
      status: 200,
      body: { spec: { a: 2 } },
    });
    expect(server.get(locator)?.metadata.managedFields).toMatchObject([{ manager: 'two', operation: 'Apply' }]);
  });

  it('shares a list of conditions with other managers', async () => {
    const { apply, server } = setUp();
    await apply('one', { spec: {} });
    await apply('one', { status: { conditions: [accepted('True')] } }, { status: true });
    await apply('two', { status: { conditions: [{ ...accepted('True'), type: 'Programmed' }] } }, { status: true });
    await apply('one', { status: { conditions: [] } }, { status: true });
    expect(server.get(locator)?.status).toEqual({ conditions: [{ ...accepted('True'), type: 'Programmed' }] });
  });

  it('writes nothing when nothing is different', async () => {
    const { apply, clock } = setUp();
    const { body } = await apply('one', { spec: { a: 1 } });
    await clock.advance(5000);
    expect((await apply('one', { spec: { a: 1 } })).body).toEqual(body);
  });
});
