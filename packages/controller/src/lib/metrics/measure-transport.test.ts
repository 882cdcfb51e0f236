import type { Transport, TransportResponse } from '@policy-machinery/cluster';
import { createFakeApiServer, createFakeClock } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import { measureTransport } from './measure-transport.ts';
import { recordedInstruments } from './metrics.fixture.ts';

const host = '10.96.0.1:443';
const services = '/api/v1/namespaces/default/services';

function createWorld(through: (transport: Transport) => Transport = (transport) => transport) {
  const clock = createFakeClock();
  const server = createFakeApiServer({ clock });
  const { instruments, samples } = recordedInstruments();
  const transport = measureTransport(through(server.transport), instruments, clock, host);
  return { clock, server, samples, transport };
}

async function linesOf(response: TransportResponse): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of response.lines()) lines.push(line);
  return lines;
}

const requests = 'rest_client_requests_total';
const duration = 'rest_client_request_duration_seconds';

describe('measureTransport', () => {
  it('counts requests by code and method', async () => {
    const { transport, samples } = createWorld();
    for (const path of [services, services, `${services}/missing`]) await transport.request({ method: 'GET', path });
    await transport.request({ method: 'DELETE', path: `${services}/missing` });
    expect(await samples(requests)).toEqual([
      `${requests}{code="200",method="GET",host="${host}"} 2`,
      `${requests}{code="404",method="GET",host="${host}"} 1`,
      `${requests}{code="404",method="DELETE",host="${host}"} 1`,
    ]);
  });

  it('passes requests and answers on', async () => {
    const { transport } = createWorld();
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'cart' }, spec: {} });
    const headers = { 'content-type': 'application/json' };
    const created = await transport.request({ method: 'POST', path: services, headers, body });
    expect(created.status).toBe(201);
    expect(created.headers['content-type']).toContain('application/json');
    expect(await created.json()).toMatchObject({ metadata: { name: 'cart' } });
    const read = await transport.request({ method: 'GET', path: services });
    expect(JSON.parse(await read.text())).toMatchObject({ items: [{ metadata: { name: 'cart' } }] });
  });

  it.each(['json', 'text', 'lines'] as const)('measures until the body has been read as %s', async (how) => {
    const { clock, server, transport, samples } = createWorld();
    server.addFaults({ at: 'list services', do: { delay: 300 } });
    const asked = transport.request({ method: 'GET', path: services });
    await clock.advance(300);
    const response = await asked;
    await clock.advance(200);
    expect(await samples(duration)).toEqual([]);
    if (how === 'lines') await linesOf(response);
    else await response[how]();
    expect(await samples(duration)).toEqual([
      `${duration}_sum{verb="GET",host="${host}"} 0.5`,
      `${duration}_count{verb="GET",host="${host}"} 1`,
    ]);
  });

  it('counts requests without an answer, and passes the error on', async () => {
    const { server, transport, samples } = createWorld();
    server.stop();
    await expect(transport.request({ method: 'GET', path: services })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(await samples(requests)).toEqual([`${requests}{code="<error>",method="GET",host="${host}"} 1`]);
    expect(await samples(duration)).toContain(`${duration}_count{verb="GET",host="${host}"} 1`);
  });

  it('measures answers with a body that breaks off', async () => {
    const broken = () => Promise.reject(new Error('the connection broke'));
    const { transport, samples } = createWorld(({ request }) => ({
      request: async (it) => ({ ...(await request(it)), status: 200, headers: {}, json: broken }),
    }));
    const response = await transport.request({ method: 'GET', path: services });
    await expect(response.json()).rejects.toThrow('the connection broke');
    expect(await samples(duration)).toContain(`${duration}_count{verb="GET",host="${host}"} 1`);
  });

  it('counts watches, but does not measure how long they last', async () => {
    const { clock, server, transport, samples } = createWorld();
    const query = { watch: '1', resourceVersion: server.resourceVersion, timeoutSeconds: '1' };
    const response = await transport.request({ method: 'GET', path: services, query });
    const lines = linesOf(response);
    await clock.advance(2000);
    await lines;
    expect(await samples(requests)).toEqual([`${requests}{code="200",method="GET",host="${host}"} 1`]);
    expect(await samples(duration)).toEqual([]);
  });

  it('closes the transport', () => {
    let isClosed = false;
    const { transport } = createWorld((inner) => ({
      ...inner,
      close: () => {
        isClosed = true;
      },
    }));
    transport.close?.();
    expect(isClosed).toBe(true);
  });
});
