import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runWith } from '../run.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'statuses-'));

const controllerName = 'gateway.envoyproxy.io/gatewayclass-controller';
const condition = (type: string, status: string, reason: string, message = '') => ({
  type,
  status,
  reason,
  message,
  observedGeneration: 3,
  lastTransitionTime: '2026-05-01T00:00:00Z',
});
const entry = (gateway: string, ...conditions: readonly object[]) => ({
  ancestorRef: { group: 'gateway.networking.k8s.io', kind: 'Gateway', namespace: 'shop', name: gateway },
  controllerName,
  conditions,
});
const refused = condition('Accepted', 'False', 'Invalid', 'BufferLimit value 1T is out of range');
const accepted = condition('Accepted', 'True', 'Accepted');

const gateway = (name: string, status: object = {}) => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name, namespace: 'shop', generation: 3 },
  spec: { gatewayClassName: 'envoy', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
  status,
});
const route = (...gateways: readonly string[]) => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: { name: 'cart', namespace: 'shop' },
  spec: { parentRefs: gateways.map((name) => ({ name })), rules: [{ name: 'all' }] },
});
const policy = (status: object | undefined, generation = 3) => ({
  apiVersion: 'gateway.envoyproxy.io/v1alpha1',
  kind: 'BackendTrafficPolicy',
  metadata: { name: 'buffers', namespace: 'shop', generation, creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: {
    targetRefs: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'cart' }],
    timeout: { http: { requestTimeout: '9s' } },
  },
  ...(status === undefined ? {} : { status }),
});

/** Runs a command on some objects of a cluster, as kubectl prints them. */
async function gwpolicy(objects: readonly { readonly metadata: object }[], ...args: readonly string[]) {
  const items = objects.map((each) => ({ ...each, metadata: { ...each.metadata, resourceVersion: '7', uid: 'u' } }));
  return gwpolicyOn([{ apiVersion: 'v1', kind: 'List', items }], ...args);
}

/** Runs a command on some documents. */
async function gwpolicyOn(documents: readonly object[], ...args: readonly string[]) {
  const file = join(mkdtempSync(join(folder, 'cluster-')), 'cluster.yaml');
  writeFileSync(file, documents.map((document) => JSON.stringify(document)).join('\n---\n'));
  return runWith([...args, '-f', file]);
}

const refusedByAll = [gateway('edge'), route('edge'), policy({ ancestors: [entry('edge', refused)] })];

describe('a policy that its controller has refused', () => {
  it('is invalid in get, with the name and the words of the controller', async () => {
    const { stdout } = await gwpolicy(refusedByAll, 'get', '-o', 'json');
    expect(JSON.parse(stdout).items).toMatchObject([
      { outcome: 'invalid', message: `${controllerName} refuses it: BufferLimit value 1T is out of range.` },
    ]);
  });

  it('is an error in lint', async () => {
    const { stdout, exitCode } = await gwpolicy(refusedByAll, 'lint', '-o', 'json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).items).toMatchObject([
      { code: 'server-fields', severity: 'note' },
      { code: 'refused-by-controller', severity: 'error', message: expect.stringContaining('BufferLimit value 1T') },
    ]);
  });

  it('holds nothing in explain and request, and is named as without effect', async () => {
    const explained = await gwpolicy(refusedByAll, 'explain', 'httproute/shop/cart');
    expect(explained.stdout).not.toContain('9s');
    expect(explained.stdout).toContain('BufferLimit value 1T');
    expect((await gwpolicy(refusedByAll, 'request', 'http://any.example.com/')).stdout).toContain('meets no policy');
  });

  it('is invalid on the page of report', async () => {
    expect((await gwpolicy(refusedByAll, 'report')).stdout).toContain('BufferLimit value 1T');
  });

  it('counts as written with --ignore-status', async () => {
    const { stdout } = await gwpolicy(refusedByAll, 'get', '--ignore-status', '-o', 'json');
    expect(JSON.parse(stdout).items).toMatchObject([{ outcome: 'enforced' }]);
    expect((await gwpolicy(refusedByAll, 'explain', 'httproute/shop/cart', '--ignore-status')).stdout).toContain('9s');
  });

  it('holds nothing below the Gateway that refuses it, and all below another', async () => {
    const objects = [
      gateway('edge'),
      gateway('inner'),
      route('edge', 'inner'),
      policy({ ancestors: [entry('edge', refused), entry('inner', accepted)] }),
    ];
    const { stdout } = await gwpolicy(objects, 'explain', 'httproute/shop/cart', '-o', 'json');
    const { effective } = JSON.parse(stdout);
    expect(JSON.stringify(effective)).toContain('inner');
    expect(JSON.stringify(effective)).not.toContain('edge');
  });
});

describe('a status that is not about the current policy', () => {
  it('is not evidence when it is about an earlier generation, and is reported as outdated', async () => {
    const outdated = [gateway('edge'), route('edge'), policy({ ancestors: [entry('edge', refused)] }, 4)];
    const { stdout } = await gwpolicy(outdated, 'get', '-o', 'json');
    expect(JSON.parse(stdout).items).toMatchObject([
      { outcome: 'enforced', message: expect.stringContaining('about an earlier generation') },
    ]);
    expect((await gwpolicy(outdated, 'lint')).stdout).toContain('status-outdated');
  });

  it('is said to be missing where other policies of the kind have one', async () => {
    const other = { ...policy({ ancestors: [entry('edge', accepted)] }) };
    const seen = { ...other, metadata: { ...other.metadata, name: 'seen' } };
    const { stdout } = await gwpolicy([gateway('edge'), route('edge'), policy(undefined), seen], 'get', '-o', 'json');
    const messages = JSON.parse(stdout).items.map(({ message }: { readonly message: string }) => message);
    expect(messages.filter((it: string) => it.includes('no controller has reported it'))).toHaveLength(1);
  });

  it('is not missed by impact, which reads the content of objects', async () => {
    const seen = policy({ ancestors: [entry('edge', accepted)] });
    const file = join(mkdtempSync(join(folder, 'change-')), 'change.json');
    writeFileSync(file, JSON.stringify({ ...policy(undefined), metadata: { ...seen.metadata, name: 'new' } }));
    const against = join(mkdtempSync(join(folder, 'against-')), 'cluster.json');
    writeFileSync(
      against,
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [gateway('edge'), route('edge'), seen] }),
    );
    const { stdout } = await runWith(['impact', '-f', file, '--against', against]);
    expect(stdout).not.toContain('no controller has reported it');
  });

  it('is not missed in files without statuses', async () => {
    const { stdout } = await gwpolicy([gateway('edge'), route('edge'), policy(undefined)], 'get', '-o', 'json');
    expect(JSON.parse(stdout).items).toMatchObject([{ message: 'In force in all scopes.' }]);
  });
});

describe('a Gateway or a listener that is not programmed', () => {
  const notProgrammed = condition('Programmed', 'False', 'AddressNotAssigned', 'No address has been assigned');
  const objects = [
    gateway('edge', { conditions: [notProgrammed], listeners: [{ name: 'http', conditions: [notProgrammed] }] }),
    route('edge'),
    policy(undefined),
  ];

  it.each([
    ['explain', 'httproute/shop/cart'],
    ['request', 'http://any.example.com/'],
  ])('is said by %s %s', async (...args) => {
    const { stderr } = await gwpolicy(objects, ...args);
    expect(stderr).toContain('Gateway shop/edge may not take requests: it is not programmed: No address');
    expect(stderr).toContain('Gateway shop/edge#http may not take requests');
  });

  it('is a warning in lint at its place, and nothing with --ignore-status', async () => {
    const { stdout } = await gwpolicy(objects, 'lint', '-o', 'json');
    const resource = 'gateway.gateway.networking.k8s.io:shop/edge';
    expect(JSON.parse(stdout).items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: 'not-programmed', resource }),
        expect.objectContaining({ code: 'not-programmed', resource, pointer: '/spec/listeners/0' }),
      ]),
    );
    expect((await gwpolicy(objects, 'lint', '--ignore-status')).stdout).toBe('');
  });
});

describe('fields that an API server sets, in a file that a person writes', () => {
  const weak = policy({ ancestors: [entry('edge', refused)] });
  const written = [gateway('edge', { conditions: [condition('Programmed', 'False', 'Invalid')] }), route('edge')];
  const versioned = { ...weak, metadata: { ...weak.metadata, resourceVersion: '7', uid: 'u' } };
  const deleted = { ...weak, metadata: { ...weak.metadata, deletionTimestamp: '2026-05-01T00:00:00Z' } };

  it.each([
    ['a status', [...written, weak]],
    ['a status and a resourceVersion in a document', [...written, versioned]],
    ['a status in a list without resourceVersions', [{ apiVersion: 'v1', kind: 'List', items: [...written, weak] }]],
    ['a deletionTimestamp', [...written, deleted]],
  ])('do not count: %s', async (_what, documents) => {
    const { stdout } = await gwpolicyOn(documents, 'get', 'policies', '-A', '-o', 'json');
    expect(JSON.parse(stdout).items.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['enforced']);
    const lint = await gwpolicyOn(documents, 'lint', '-o', 'json', '--fail-on', 'none');
    const findings: { code: string; message: string }[] = JSON.parse(lint.stdout).items;
    expect(findings.map(({ code }) => code)).not.toContain('not-programmed');
    expect(findings.find(({ code }) => code === 'server-fields')?.message).toMatch(
      /^2 objects are in files with a status, deletionTimestamp, uid or resourceVersion, .* do not count/,
    );
  });

  it('count in the objects of a cluster, and lint reports it', async () => {
    const { stdout } = await gwpolicy(refusedByAll, 'lint', '-o', 'json', '--fail-on', 'none');
    expect(JSON.parse(stdout).items).toContainEqual({
      code: 'server-fields',
      severity: 'note',
      message: '3 objects are in lists with resourceVersions, so statuses and deletion times count as in a cluster',
    });
  });

  it('are compared by status all the same', async () => {
    const resultFor = async (each: object) =>
      JSON.parse((await gwpolicyOn([...written, each], 'status', '-A', '-o', 'json')).stdout).items[0].result;
    expect([await resultFor(weak), await resultFor(policy(undefined))]).toEqual(['same', 'different']);
  });
});

describe('the statuses of routes and listeners in a cluster', () => {
  const parentRef = { name: 'edge' };
  const withParents = (decision: object, more: object = {}) => ({
    ...route('edge'),
    metadata: { name: 'cart', namespace: 'shop', generation: 3 },
    status: { parents: [{ parentRef, controllerName, conditions: [decision] }] },
    ...more,
  });
  const grpcOnly = { allowedRoutes: { kinds: [{ kind: 'GRPCRoute' }] } };
  const closed = {
    ...gateway('edge'),
    spec: { gatewayClassName: 'envoy', listeners: [{ name: 'http', port: 80, protocol: 'HTTP', ...grpcOnly }] },
  };
  const belowSet = {
    ...route(),
    spec: { parentRefs: [{ kind: 'ListenerSet', name: 'more' }], rules: [{ name: 'all' }] },
  };
  const everySet = { namespaces: { from: 'All' } };
  const open = { ...gateway('edge'), spec: { gatewayClassName: 'envoy', listeners: [], allowedListeners: everySet } };
  const set = (decision: object) => ({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'ListenerSet',
    metadata: { name: 'more', namespace: 'shop', generation: 3 },
    spec: { parentRef, listeners: [{ name: 'extra', port: 81, protocol: 'HTTP' }] },
    status: { conditions: [decision] },
  });
  const listenerStatus = (...conditions: readonly object[]) =>
    gateway('edge', { listeners: [{ name: 'http', conditions }] });

  const outcomeOf = async (objects: Parameters<typeof gwpolicy>[0], ...flags: readonly string[]) =>
    JSON.parse((await gwpolicy(objects, 'get', 'policies', '-A', '-o', 'json', ...flags)).stdout).items[0].outcome;
  const findingsOf = async (objects: Parameters<typeof gwpolicy>[0]) => {
    const { stdout } = await gwpolicy(objects, 'lint', '-o', 'json', '--fail-on', 'none');
    const { items }: { items: { code: string; message: string }[] } = JSON.parse(stdout);
    return items.flatMap(({ code, message }) => (code === 'status-differs' ? [message] : []));
  };

  it.each<[string, Parameters<typeof gwpolicy>[0], string, string, readonly string[]]>([
    [
      'a route that is accepted, as the specs allow',
      [gateway('edge'), withParents(accepted), policy(undefined)],
      'enforced',
      'enforced',
      [],
    ],
    [
      'a route that is refused, although the specs allow it',
      [gateway('edge'), withParents(condition('Accepted', 'False', 'NoReadyListeners')), policy(undefined)],
      'not-in-any-path',
      'enforced',
      [
        'its controller does not accept it at Gateway shop/edge (NoReadyListeners), although the specs allow it; the status counts',
      ],
    ],
    [
      'a route that is accepted, although the specs do not allow it',
      [closed, withParents(accepted), policy(undefined)],
      'enforced',
      'not-in-any-path',
      [
        'its controller accepts it at Gateway shop/edge, although the listener does not allow HTTPRoute.gateway.networking.k8s.io; the status counts',
      ],
    ],
    [
      'a listener that is not accepted',
      [listenerStatus(condition('Accepted', 'False', 'PortUnavailable')), withParents(accepted), policy(undefined)],
      'no-requests',
      'enforced',
      [
        'its controller reports Accepted=False of listener http, although its specs lead to no conflict; the status counts',
      ],
    ],
    [
      'a listener in conflict, although the specs lead to none',
      [listenerStatus(condition('Conflicted', 'True', 'HostnameConflict')), withParents(accepted), policy(undefined)],
      'no-requests',
      'enforced',
      [
        'its controller reports a hostname conflict of listener http, although its specs lead to no conflict; the status counts',
      ],
    ],
    [
      'a ListenerSet that is refused, although the specs allow it',
      [open, set(condition('Accepted', 'False', 'NotReady')), belowSet, policy(undefined)],
      'not-in-any-path',
      'enforced',
      [
        'its controller does not accept it at Gateway shop/edge (NotReady), although the specs allow it; the status counts',
      ],
    ],
    [
      'a Gateway that is not accepted',
      [
        gateway('edge', { conditions: [condition('Accepted', 'False', 'UnsupportedAddress')] }),
        withParents(accepted),
        policy(undefined),
      ],
      'no-requests',
      'enforced',
      ['its controller does not accept it (UnsupportedAddress), so its listeners take no requests; the status counts'],
    ],
  ])('decide whether its policies are in force: %s', async (_, objects, outcome, bySpec, findings) => {
    expect(await outcomeOf(objects)).toBe(outcome);
    expect(await outcomeOf(objects, '--ignore-status')).toBe(bySpec);
    expect(await findingsOf(objects)).toEqual(findings);
  });
});
