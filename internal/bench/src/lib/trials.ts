import { reviewAdmission } from '@policy-machinery/admission';
import { createTrial, effectivePolicies, type Trial } from '@policy-machinery/effective-policy';
import { HTTPRoute } from '@policy-machinery/gateway-api';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { randomChanges, type Workload } from '@policy-machinery/workload';
import { asListed } from './as-listed.ts';
import { hasAboutHundredRoutes, policiesOn } from './changes.ts';
import { collectGarbage, median, percentile, repeated, timedOnCpu } from './measure.ts';

/** The CPU time of many runs, in milliseconds. */
export interface Spread {
  readonly median: number;
  /** 99 of 100 runs take no longer. */
  readonly p99: number;
}

/** The CPU time of reviews by a trial, in milliseconds. */
export interface MeasuredTrials {
  /** `JSON.parse` of all resources in one text. */
  readonly parse: number;
  readonly onRoute: Spread;
  readonly onGateway: Spread;
}

/** Measures reviews of edited policies by a trial that has computed all that it needs. */
export function measureTrials(workload: Workload): MeasuredTrials {
  const text = JSON.stringify(asListed(workload.resources));
  const parses = repeated(5, () => timedOnCpu((): readonly KubernetesObject[] => JSON.parse(text)));
  const topology = createTopology(workload);
  topology.apply({ upsert: parses[0]?.result ?? [] });
  const trial = createTrial(workload.policyKinds.map((kind) => effectivePolicies(topology, kind)));
  for (const _ of trial.compute());
  const onRoutes = policiesOn(topology, ({ kind }) => kind === HTTPRoute);
  const onGateways = policiesOn(topology, hasAboutHundredRoutes);
  return {
    parse: median(parses.map(({ ms }) => ms)),
    onRoute: reviewing(trial, onRoutes),
    onGateway: reviewing(trial, onGateways),
  };
}

/** The number of reviews that are measured. With fewer, two of them would decide about the 99th percentile. */
const count = 600;

/** Reviews edited policies. The first third is not counted. */
function reviewing(trial: Trial, policies: readonly KubernetesObject[]): Spread {
  const changes = randomChanges(policies, { edits: ['edit policy'], maxEdits: 1, seed: 1 });
  collectGarbage();
  const times = Array.from({ length: count }, () => {
    const edited = changes.next().value.upsert;
    return timedOnCpu(() => edited.map((policy) => reviewAdmission(trial, policy))).ms;
  });
  const counted = times.slice(Math.floor(count / 3));
  return { median: percentile(counted, 50), p99: percentile(counted, 99) };
}
