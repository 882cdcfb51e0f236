import type { KubernetesObject } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterWith, gateway, linksOf, route } from '../gateway-api.fixture.ts';
import { traceRequest } from '../request/trace-request.ts';

const edge = gateway('edge', { listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] });
const toEdge = [{ name: 'edge' }];
const prefix = (value: string, more: object = {}) => ({ path: { type: 'PathPrefix', value }, ...more });
const children = (...names: readonly string[]) =>
  names.map((name) => {
    const [own, namespace] = name.split('/').reverse();
    return { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: own, ...(namespace && { namespace }) };
  });

interface Node {
  readonly matches: readonly object[];
  readonly to?: readonly string[];
  readonly inherits?: boolean;
  readonly parentRefs?: readonly object[];
  readonly namespace?: string;
}

/** A route with one rule. */
function node(
  name: string,
  { matches, to = [], inherits = false, parentRefs = [], namespace }: Node,
): KubernetesObject {
  const made = route('HTTPRoute', name, { parentRefs, rules: [{ matches, backendRefs: children(...to) }] }, namespace);
  const annotations = inherits ? { 'delegation.kgateway.dev/inherit-parent-matcher': 'true' } : {};
  return { ...made, metadata: { ...made.metadata, annotations } };
}

const parent = (value: string, name = 'parent') =>
  node(name, { matches: [prefix(value)], to: ['child'], parentRefs: toEdge });
const child = (change: Partial<Node> = {}) =>
  node('child', { matches: [prefix('/b')], to: ['leaf'], inherits: true, ...change });
const leaf = (value: string, more: object = {}) => node('leaf', { matches: [prefix(value, more)] });

const delegating = (...resources: readonly KubernetesObject[]) => clusterWith({ delegation: true }, edge, ...resources);
const locator = (name: string) => `httproute.gateway.networking.k8s.io:default/${name}`;
const hasLeaf = (topology: Topology) =>
  topology.children(locator('child#rule-1')).some(({ ref }) => ref.name === 'leaf');

describe('gatewayApi({ delegation: true }), below a child that inherits the matches of its parent (H-10)', () => {
  it.each([
    ['/a/b/c', true],
    ['/a/b', true],
    ['/b/c', false],
    ['/a/c', false],
    ['/x/b/c', false],
    ['/a/bc', false],
  ])('holds a grandchild for %s against /a and /b put together', (path, expected) => {
    const topology = delegating(parent('/a'), child(), leaf(path));
    expect(hasLeaf(topology)).toBe(expected);
    const refused = topology.refused.map(({ reason, to }) => [reason, to]);
    expect(refused).toEqual(expected ? [] : [['NoDelegatedMatch', locator('leaf')]]);
    expect(topology.issues.map(({ code, pointer, resource }) => [code, pointer, resource])).toEqual(
      expected ? [] : [['refused-reference', '/spec/rules/0/backendRefs/0', locator('child')]],
    );
  });

  it.each([
    ['/a/b/c', true],
    ['/x/b/c', true],
    ['/y/b/c', false],
  ])('takes a grandchild for %s that one of several parents leads to', (path, expected) => {
    expect(hasLeaf(delegating(parent('/a', 'p'), parent('/x', 'q'), child(), leaf(path)))).toBe(expected);
  });

  it('counts its matches unchanged, too, below a Gateway and without parents', () => {
    const named = [...toEdge, ...children('parent')];
    expect(hasLeaf(delegating(parent('/a'), child({ parentRefs: named }), leaf('/b/c')))).toBe(true);
    expect(hasLeaf(delegating(parent('/a'), child({ parentRefs: named }), leaf('/a/b/c')))).toBe(true);
    expect(hasLeaf(delegating(child(), leaf('/b/c')))).toBe(true);
    expect(hasLeaf(delegating(child(), leaf('/a/b/c')))).toBe(false);
  });

  it('also requires the method, headers and query parameters of the parent', () => {
    const more = { method: 'GET', headers: [{ name: 'x', value: '1' }], queryParams: [{ name: 'q', value: '1' }] };
    const strict = node('parent', { matches: [prefix('/a', more)], to: ['child'], parentRefs: toEdge });
    expect(hasLeaf(delegating(strict, child(), leaf('/a/b/c', more)))).toBe(true);
    for (const field of Object.keys(more)) {
      expect(hasLeaf(delegating(strict, child(), leaf('/a/b/c', { ...more, [field]: undefined })))).toBe(false);
    }
  });

  it('follows the parents, though nothing changes about the child and the grandchild', () => {
    const topology = delegating(child(), leaf('/x/b/c'));
    const seen = [hasLeaf(topology)];
    for (const change of [
      { upsert: [parent('/x')] },
      { upsert: [parent('/a')] },
      { upsert: [parent('/x', 'other')] },
      { remove: [locator('parent')] },
      { remove: [locator('other')] },
    ]) {
      const { changed } = topology.apply(change);
      if (hasLeaf(topology) !== seen.at(-1)) expect(changed).toContain(locator('leaf'));
      seen.push(hasLeaf(topology));
    }
    expect(seen).toEqual([false, true, false, true, true, false]);
    expect(topology.refused).toHaveLength(1);
  });

  it('follows a grandchild that was refused', () => {
    const topology = delegating(parent('/a'), child(), leaf('/b'));
    topology.apply({ upsert: [leaf('/a/b')] });
    expect([hasLeaf(topology), topology.refused, topology.issues]).toEqual([true, [], []]);
    topology.apply({ remove: [locator('leaf')] });
    expect(topology.unresolved.map(({ missing }) => missing)).toEqual([locator('leaf')]);
    topology.apply({ upsert: [leaf('/b')] });
    expect(hasLeaf(topology)).toBe(false);
  });

  it('reports the same for a grandchild out of reach in another namespace and for a missing one (T-25)', () => {
    const to = ['far/leaf'];
    const told = (...resources: readonly KubernetesObject[]) => {
      const { refused, unresolved, issues } = delegating(parent('/a'), child({ to }), ...resources);
      return [refused, unresolved.map(({ missing }) => missing), issues];
    };
    const far = node('leaf', { matches: [prefix('/b')], namespace: 'far' });
    expect(told(far)).toEqual(told());
    expect(told(far)[1]).toEqual(['httproute.gateway.networking.k8s.io:far/leaf']);
  });

  it('selects matching children by a wildcard, and lists no others', () => {
    const inside = (name: string, path: string) => node(name, { matches: [prefix(path)], namespace: 'far' });
    const topology = delegating(parent('/a'), child({ to: ['far/*'] }), inside('in', '/a/b/c'), inside('out', '/b/c'));
    expect(topology.children(locator('child#rule-1')).map(({ ref }) => ref.name)).toEqual(['in']);
    expect([topology.refused, topology.unresolved, topology.issues]).toEqual([[], [], []]);
  });

  it('leaves out matches of a child that inherits nothing, if no request under its parents can meet them', () => {
    const plain = child({ inherits: false, matches: [prefix('/a/b'), prefix('/x')] });
    expect(hasLeaf(delegating(parent('/a'), plain, leaf('/x/c')))).toBe(false);
    expect(hasLeaf(delegating(parent('/a'), plain, leaf('/a/b/c')))).toBe(true);
  });

  it('holds children against nothing where more than 1000 matches would have to be put together', () => {
    const many = (at: string) => Array.from({ length: 40 }, (_, index) => prefix(`/${at}${index}`));
    const top = node('parent', { matches: many('p'), to: ['child'], parentRefs: toEdge });
    expect(hasLeaf(delegating(top, child({ matches: many('c') }), leaf('/p1/c1/x')))).toBe(true);
    expect(hasLeaf(delegating(top, child({ matches: many('c').slice(20) }), leaf('/p1/c1/x')))).toBe(false);
  });
});

const names = ['a', 'b', 'c', 'd', 'e'];
const segments = fc.constantFrom('/', '/x', '/y', '/x/y', '/x/x');
const anyNode = fc.record({
  inherits: fc.boolean(),
  matches: fc.array(
    segments.map((value) => prefix(value)),
    { minLength: 1, maxLength: 2 },
  ),
  to: fc.subarray(names),
  isAttached: fc.constantFrom(true, false, false),
});
/** Routes that delegate only to later ones, so that there are no cycles. */
const forest = fc.tuple(...names.map(() => anyNode)).map((nodes) =>
  nodes.map(({ isAttached, to, ...rest }, index) => ({
    ...rest,
    to: to.filter((name) => names.indexOf(name) > index),
    parentRefs: isAttached ? [...toEdge, ...children(...names)] : [],
  })),
);

/** Returns the paths of each route over every chain of routes that leads to it: slow and naive. */
function reached(nodes: readonly Node[]): readonly ReadonlySet<string>[] {
  const ways: Set<string>[] = nodes.map(() => new Set());
  const own = nodes.map(({ matches }) =>
    (matches as readonly ReturnType<typeof prefix>[]).map(({ path }) => path.value),
  );
  const isBelow = (path: string, start: string) => start === '/' || `${path}/`.startsWith(`${start}/`);
  const join = (start: string, path: string) => `/${[start, path].join('/').split('/').filter(Boolean).join('/')}`;
  const linked: Set<string>[] = nodes.map(() => new Set());
  for (const [index, { inherits, parentRefs = [], to = [] }] of nodes.entries()) {
    const at = own[index] as readonly string[];
    const parents = nodes.flatMap((_, above) => (linked[above]?.has(names[index] as string) ? [above] : []));
    const isOwn = parents.length === 0 || parentRefs.length > 0;
    const mine = ways[index] as Set<string>;
    if (isOwn) for (const path of at) mine.add(path);
    for (const above of parents) {
      for (const start of ways[above] as Set<string>) {
        for (const path of at) {
          if (inherits === true) mine.add(join(start, path));
          else if (isBelow(path, start)) mine.add(path);
        }
      }
    }
    for (const name of to) {
      const below = names.indexOf(name);
      const fits = [...mine].some(
        (start) => nodes[below]?.inherits || own[below]?.some((path) => isBelow(path, start)),
      );
      if (fits) linked[index]?.add(name);
    }
  }
  return linked;
}

describe('gatewayApi({ delegation: true }), in random forests of routes', () => {
  const resourcesOf = (nodes: readonly Node[]) => nodes.map((it, index) => node(names[index] as string, it));
  const delegations = (topology: Topology) => linksOf(topology).filter((link) => link.startsWith('HTTPRoute'));

  it('links the targets of every chain of routes, after any earlier state', () => {
    fc.assert(
      fc.property(forest, forest, fc.subarray(names), (before, after, late) => {
        const topology = delegating(...resourcesOf(before));
        const upsert = resourcesOf(after);
        topology.apply({ upsert: upsert.filter(({ metadata }) => !late.includes(metadata.name)) });
        topology.apply({ upsert: upsert.filter(({ metadata }) => late.includes(metadata.name)) });
        const expected = reached(after).flatMap((linked, index) =>
          [...linked].sort().map((to) => `HTTPRoute default/${names[index]}#rule-1 > HTTPRoute default/${to}`),
        );
        expect(delegations(topology)).toEqual(expected);
        const fresh = delegating(...upsert);
        expect(topology.refused.map(({ to }) => to)).toEqual(fresh.refused.map(({ to }) => to));
        expect(topology.issues).toEqual(fresh.issues);
      }),
      { numRuns: 300 },
    );
  });

  it('links the same as from the start where delegation leads in circles', () => {
    const cycleGroup = fc.tuple(...names.map(() => anyNode)).map((nodes) =>
      nodes.map(({ isAttached, ...rest }) => ({
        ...rest,
        parentRefs: isAttached ? [...toEdge, ...children(...names)] : [],
      })),
    );
    const step = fc.record({ nodes: cycleGroup, left: fc.subarray(names), gone: fc.subarray(names) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 4 }), (steps) => {
        const topology = delegating();
        for (const { nodes, left, gone } of steps) {
          const upsert = resourcesOf(nodes).filter(({ metadata }) => !left.includes(metadata.name));
          topology.apply({ upsert, remove: gone.filter((name) => left.includes(name)).map(locator) });
        }
        const now = names.flatMap((name) => topology.get(locator(name))?.resource ?? []);
        const fresh = delegating(...now);
        const told = (it: Topology) => [
          linksOf(it),
          it.refused.map(({ from, to, reason }) => [from.locator, to, reason]),
          it.unresolved.map(({ from, missing }) => [from.locator, missing]),
          it.issues,
        ];
        expect(told(topology)).toEqual(told(fresh));
      }),
      { numRuns: 300 },
    );
  });

  /** All paths of up to six segments, as three routes put together. */
  const paths = Array.from({ length: 127 }, (_, index) =>
    (index + 1).toString(2).slice(1).replaceAll('0', '/x').replaceAll('1', '/y'),
  );

  it('leads some request by each link below a Gateway', () => {
    fc.assert(
      fc.property(forest, (nodes) => {
        const few = nodes.slice(0, 3).map((it, index) => ({ ...it, parentRefs: index === 0 ? toEdge : [] }));
        const topology = delegating(...resourcesOf(few));
        fc.pre(topology.roots.length === 1); // Matches of a route without parents count, but no request comes by them.
        const met = new Set<string>();
        for (const path of paths) {
          for (const { winner, lost, undecided, unmatched } of traceRequest(topology, {
            path: path === '' ? '/' : path,
          })) {
            const childless = unmatched.filter(({ reason }) => reason === 'no-children');
            for (const { route: to, via } of [
              ...(winner === undefined ? [] : [winner]),
              ...lost,
              ...undecided,
              ...childless,
            ]) {
              const chain = [...via, to];
              for (const [index, rule] of chain.entries()) {
                const next = chain[index + 1];
                if (rule.section !== undefined && next !== undefined) met.add(`${rule.locator} > ${next.locator}`);
              }
            }
          }
        }
        const links = [...topology.targets].flatMap((from) =>
          from.linksTo.filter(() => from.ref.kind === 'HTTPRoute').map((to) => `${from.locator} > ${to.locator}`),
        );
        expect([...met].sort()).toEqual(links.sort());
      }),
      { numRuns: 25 },
    );
  });
});
