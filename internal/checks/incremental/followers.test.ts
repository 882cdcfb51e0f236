import { type EffectivePolicies, effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { createVerifier, everyRequestMeets, formatRequest, verifiedKind, verify } from '@policy-machinery/guarantees';
import { createStatusPlanner, planStatus, type StatusWrite } from '@policy-machinery/policy-status';
import { liveReport } from '@policy-machinery/report';
import { reportData } from '@policy-machinery/report/inner';
import { type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { createTopology, type Topology } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findingsIn } from '../../../packages/cli/src/lib/answers/issues.ts';
import { LiveFindings } from '../../../packages/cli/src/lib/answers/live-findings.ts';
import { everything } from '../../../packages/cli/src/lib/input/completeness.ts';
import { fillAll } from '../../../packages/cli/src/lib/input/fill.ts';
import { findKinds } from '../../../packages/cli/src/lib/input/kinds/kinds.ts';
import { createWorld } from '../../../packages/cli/src/lib/input/world.ts';
import { fingerprintOf } from '../../../packages/controller/src/lib/effective/fingerprint.ts';
import { News } from '../../../packages/controller/src/lib/effective/news.ts';
import { plainData } from '../../../packages/report/src/lib/plain-data.fixture.ts';
import {
  histories,
  kinds,
  policy,
  refTo,
  resource,
  type Step,
} from '../../../packages/report/src/lib/worlds.fixture.ts';
import { observedEffective } from './observed-effective.ts';

/** A topology and its effective policies. */
interface Input {
  readonly topology: Topology;
  readonly views: readonly EffectivePolicies<unknown>[];
}

function inputOf(objects: readonly KubernetesObject[]): Input {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: kinds });
  topology.apply({ upsert: objects });
  return { topology, views: kinds.map((kind) => effectivePolicies<unknown>(topology, kind)) };
}

/** Something that follows changes. */
interface Follower {
  /** Takes a change, where the follower has objects of its own. */
  readonly apply?: (step: Step, objects: readonly KubernetesObject[]) => void;
  /** Returns what it says now. */
  readonly live: () => unknown;
  /** Returns what is said from scratch about some objects. */
  readonly afresh: (objects: readonly KubernetesObject[]) => unknown;
}

const now = new Date('2026-06-17T14:00:00Z');
const planOptions = { controllerName: 'example.com/controller', affected: 'all', now: () => now } as const;

const guarantees = [
  everyRequestMeets({ name: 'timed', kind: 'TimeoutPolicy' }),
  { name: 'patient', holds: '!has(policies.UpstreamPolicy) || policies.UpstreamPolicy.spec.request == "1s"' },
];

/** Returns a write without its urgency, which depends on what was planned before. */
const withoutUrgency = ({ urgency: _urgency, ...write }: StatusWrite) => write;

const followers: Readonly<Record<string, (input: Input, objects: readonly KubernetesObject[]) => Follower>> = {
  'effective policies': ({ views }) => ({
    live: () => views.map(observedEffective),
    afresh: (objects) => inputOf(objects).views.map(observedEffective),
  }),
  'a report': ({ topology, views }) => {
    const live = liveReport({ topology, views });
    return {
      live: () => plainData(JSON.parse(live.update({ now }).json)),
      afresh: (objects) => plainData(JSON.parse(reportData({ ...inputOf(objects), now }))),
    };
  },
  'a verifier': ({ topology, views }) => {
    const shown = (verdicts: ReturnType<typeof verify>) =>
      verdicts.map(({ answer, classes, counterexamples }) => [answer, classes, counterexamples.map(formatRequest)]);
    const verifier = createVerifier({ topology, kinds: views.map((view) => verifiedKind(view)) });
    return {
      live: () => shown(verifier.verdicts(guarantees)),
      afresh: (objects) => {
        const fresh = inputOf(objects);
        return shown(
          verify({ topology: fresh.topology, kinds: fresh.views.map((view) => verifiedKind(view)) }, guarantees),
        );
      },
    };
  },
  'a data plane that is told about news': ({ views }) => {
    const told = views.map((view) => ({ view, news: new News(view, undefined), taken: new Map<string, string>() }));
    let isFirst = true;
    const take = ({ news, taken }: (typeof told)[number]): unknown => {
      const targets: string[] = [];
      for (const _ of news.take(isFirst, (target) => targets.push(target))); // Takes all parts at once.
      for (const target of targets) {
        const next = news.next(target);
        news.told(target, next);
        if (next === undefined) taken.delete(target);
        else taken.set(target, next);
      }
      return Object.fromEntries(taken);
    };
    return {
      live: () => {
        const all = told.map(take);
        isFirst = false;
        return all;
      },
      afresh: (objects) =>
        inputOf(objects).views.map((view) => {
          const targets = new Set(Array.from(view.targets, ({ locator }) => locator));
          const all = [...targets].map((target) => [target, fingerprintOf(view, target)] as const);
          return Object.fromEntries(all.filter(([, fingerprint]) => fingerprint !== undefined));
        }),
    };
  },
  'a planner of statuses': ({ views }) => {
    const planner = createStatusPlanner(views, planOptions);
    return {
      live: () => planner.plan().writes.map(withoutUrgency),
      afresh: (objects) => planStatus(inputOf(objects).views, { ...planOptions, now }).writes.map(withoutUrgency),
    };
  },
  'the findings of gwpolicy': (_input, first) => {
    const found = findKinds([], { kinds, definitions: [], dialects: {} }, {});
    const source = { kinds: [], gaps: [], servedKinds: () => [], namespace: 'shop', files: [] };
    const worldOf = (objects: readonly KubernetesObject[]) =>
      createWorld({ objects, found, scope: { namespace: undefined }, source, isComplete: everything });
    const live = new LiveFindings();
    let world = worldOf(first);
    return {
      apply: ({ upsert, remove }, objects) => {
        for (const topology of world.topologies) topology.apply({ remove });
        fillAll(world.topologies, upsert);
        world = { ...world, objects };
      },
      live: () => live.of(world),
      afresh: (objects) => findingsIn(worldOf(objects)),
    };
  },
};

const gatewayWith = (...ports: readonly number[]) =>
  resource('Gateway', 'gw', {
    gatewayClassName: 'edge',
    listeners: ports.map((port) => ({ name: `port-${port}`, port, protocol: 'HTTP' })),
  });

/** A Service with ports, which is an effective target as a whole: a second listener far above leads to it by another path. */
const secondListener = {
  first: [
    gatewayWith(80),
    resource('HTTPRoute', 'route', {
      parentRefs: [{ name: 'gw' }],
      rules: [{ backendRefs: [{ name: 'svc', port: 80 }] }],
    }),
    resource('Service', 'svc', { ports: [{ name: 'web', port: 80 }] }),
    policy('UpstreamPolicy', 'above', [refTo('Gateway', 'gw')], { request: '2s' }),
  ],
  steps: [{ upsert: [gatewayWith(80, 81)], remove: [] }],
};

describe('the followers of a topology', () => {
  it.each(Object.keys(followers))('has the same answers after any changes as from scratch: %s', (name) => {
    let differing = 0;
    fc.assert(
      fc.property(histories, ({ first, steps }) => {
        const input = inputOf(first);
        const follower = followers[name]?.(input, first);
        const present = new Map(first.map((object) => [locatorOf(object), object]));
        let before = follower?.live();
        expect(before).toEqual(follower?.afresh(first));
        for (const step of steps) {
          for (const locator of step.remove) present.delete(locator);
          for (const object of step.upsert) present.set(locatorOf(object), object);
          const objects = [...present.values()];
          input.topology.apply(step);
          follower?.apply?.(step, objects);
          const live = follower?.live();
          expect(live).toEqual(follower?.afresh(objects));
          if (JSON.stringify(live) !== JSON.stringify(before)) differing += 1;
          before = live;
        }
      }),
      { examples: [[secondListener]], numRuns: Math.ceil((60 * Number(process.env.PROPERTY_RUNS ?? 40)) / 500) },
    );
    expect(differing).toBeGreaterThan(0);
  });
});
