import { expect, it } from 'vitest';
import { requestsIn } from './audit.ts';

const event = (name: string, stage = 'ResponseComplete') =>
  JSON.stringify({
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    stage,
    verb: 'patch',
    user: { username: 'controller' },
    requestURI: `/apis/gateway.networking.k8s.io/v1/namespaces/shop/gateways/${name}/status?fieldManager=example.com%2Fa&force=true`,
    objectRef: { resource: 'gateways', subresource: 'status', apiGroup: 'gateway.networking.k8s.io', name },
    responseStatus: { code: 200 },
    requestReceivedTimestamp: '2026-01-12T09:00:00.000000Z',
    stageTimestamp: '2026-01-12T09:00:01.000000Z',
    requestObject: { kind: 'Event', apiVersion: 'events.k8s.io/v1' },
  });

const namesIn = (...lines: readonly string[]) => requestsIn(lines.join('\n')).map(({ name }) => name);

it('reads the requests that are complete', () => {
  expect(namesIn(event('a'), event('b', 'ResponseStarted'), event('c'), '')).toEqual(['a', 'c']);
  expect(requestsIn(event('a'))).toMatchObject([
    { user: 'controller', verb: 'patch', resource: 'gateways/status.gateway.networking.k8s.io', code: 200 },
  ]);
  expect(requestsIn(event('a'))[0]?.query).toEqual({ fieldManager: 'example.com/a', force: 'true' });
});

it('passes over an event that was cut off when the API server was killed', () => {
  const cut = event('b').slice(0, -30);
  expect(namesIn(event('a'), cut)).toEqual(['a']);
  expect(namesIn(event('a'), `${cut}${event('c')}`, event('d'))).toEqual(['a', 'c', 'd']);
});
