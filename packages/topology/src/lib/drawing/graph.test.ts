import { describe, expect, it } from 'vitest';
import {
  artwork,
  exhibition,
  frame,
  group,
  Museum,
  museum,
  TicketPolicy,
  targetKinds,
  ticketPolicy,
  world,
} from '../museum.fixture.ts';
import { createTopology } from '../topology.ts';
import { toDot } from './dot.ts';
import { graphOf } from './graph.ts';
import { toMermaid } from './mermaid.ts';

describe('graphOf', () => {
  const louvre = museum('louvre', { wings: [{ name: 'denon' }, { name: 'sully' }] });
  const topology = world(
    louvre,
    exhibition('vinci', { shownIn: [{ name: 'louvre', wing: 'denon' }] }),
    ticketPolicy('p', { name: 'louvre' }, { kind: 'Exhibition', name: 'vinci' }, { name: 'prado' }),
  );
  const id = {
    louvre: 'museum.culture.example.com:default/louvre',
    denon: 'museum.culture.example.com:default/louvre#denon',
    sully: 'museum.culture.example.com:default/louvre#sully',
    vinci: 'exhibition.culture.example.com:default/vinci',
    policy: 'ticketpolicy.policies.example.com:default/p',
  };

  it('has objects, sections and policies as nodes, by locator', () => {
    const graph = graphOf(topology);
    expect(graph.nodes().sort()).toEqual(Object.values(id).sort());
    expect(graph.getNodeAttributes(id.denon)).toEqual({
      type: 'section',
      kind: 'Museum',
      label: 'default/louvre#denon',
      namespace: 'default',
      resource: louvre,
    });
    expect(graph.getNodeAttribute(id.vinci, 'type')).toBe('object');
    expect(graph.getNodeAttribute(id.policy, 'type')).toBe('policy');
  });

  it('has links, containment and attachment as edges', () => {
    const edges = graphOf(topology).mapEdges((_, { type }, from, to) => [from, type, to]);
    expect(edges).toEqual([
      [id.louvre, 'contains', id.denon],
      [id.louvre, 'contains', id.sully],
      [id.denon, 'link', id.vinci],
      [id.policy, 'attaches', id.louvre],
      [id.policy, 'attaches', id.vinci],
    ]);
  });

  it('works with algorithms of the ecosystem, which find no cycle', () => {
    const graph = graphOf(topology);
    const waiting = new Map(graph.mapNodes((node) => [node, graph.inDegree(node)]));
    const order: string[] = [];
    for (let free = graph.nodes().filter((node) => waiting.get(node) === 0); free.length > 0; ) {
      const node = free.pop() as string;
      order.push(node);
      graph.forEachOutNeighbor(node, (next) => {
        waiting.set(next, (waiting.get(next) as number) - 1);
        if (waiting.get(next) === 0) free = [...free, next];
      });
    }
    expect(order).toHaveLength(graph.order);
    expect(graph.outDegree(id.louvre)).toBe(2);
    expect(graph.inDegree(id.vinci)).toBe(2);
  });

  it('is a copy as of now, which may be changed', () => {
    const changing = world(louvre);
    const drawn = [toDot(changing), toMermaid(changing)];
    const graph = graphOf(changing);
    graph.dropNode(id.denon);
    expect(changing.get(id.denon)).toBeDefined();
    expect([toDot(changing), toMermaid(changing)]).toEqual(drawn);
    changing.apply({ upsert: [frame('oak')] });
    expect(graphOf(changing).hasNode(id.denon)).toBe(true);
    expect(graph.hasNode('frame.culture.example.com:default/oak')).toBe(false);
  });

  it('puts policies into the namespace that counts', () => {
    const { apiVersion, kind, spec } = ticketPolicy('p', { name: 'louvre' });
    const policy = { apiVersion, kind, metadata: { name: 'p' }, spec };
    expect(graphOf(world(policy)).getNodeAttribute(id.policy, 'namespace')).toBe('default');

    const cluster = createTopology({ targetKinds, policyKinds: [{ ...TicketPolicy, scope: 'Cluster' }] });
    cluster.apply({ upsert: [{ ...policy, metadata: { name: 'p', namespace: 'default' } }] });
    expect(graphOf(cluster).getNodeAttribute('ticketpolicy.policies.example.com:p', 'namespace')).toBeUndefined();
  });

  it('has a kind that is both target and policy as a policy, even one that targets itself', () => {
    const both = { ...TicketPolicy, group, kind: 'Museum', targets: [Museum] };
    const topology = createTopology({ targetKinds, policyKinds: [both] });
    const spec = { targetRefs: [{ group, kind: 'Museum', name: 'louvre' }] };
    topology.apply({ upsert: [museum('louvre', spec)] });
    expect(graphOf(topology).getNodeAttribute(id.louvre, 'type')).toBe('policy');
    expect(graphOf(topology).mapEdges((_, { type }) => type)).toEqual(['attaches']);
  });

  it('keeps apart edges between targets with odd names', () => {
    const odd = world(
      exhibition('e', {
        rooms: [
          { name: 'x', artworks: [{ name: 'a', side: 'y z' }] },
          { name: 'x y', artworks: [{ name: 'a', side: 'z' }] },
        ],
      }),
      artwork('a', { sides: [{ name: 'y z' }, { name: 'z' }] }),
    );
    expect(graphOf(odd).size).toBe(6);
  });
});
