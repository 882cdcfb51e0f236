import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { Verdict } from '@policy-machinery/guarantees';
import type { Issue } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import { Choices } from './choices.ts';
import { issueRows } from './issue-rows.ts';
import { Names } from './names.ts';
import { policyRows } from './policy-rows.ts';
import type { ReportData } from './report-data.ts';
import { gatewaysAmong, requestData, routesAt } from './request-data.ts';
import { verdictRows } from './verdict-rows.ts';
import { viewOf } from './view-data.ts';
import { Ways } from './ways.ts';

/** The input of a page. */
export interface Collected {
  readonly topology: Topology;
  readonly views: readonly EffectivePolicies<unknown>[];
  readonly issues: readonly Issue[];
  readonly title: string;
  readonly notes?: readonly string[];
  readonly verdicts?: readonly Verdict[];
  readonly now: Date;
}

/** Collects the data of a page. O(contexts, and for each target those below it). */
export function collect({ topology, views, issues, title, notes = [], verdicts = [], now }: Collected): ReportData {
  const names = new Names(topology);
  const ways = new Ways(names);
  const gateways = gatewaysAmong(names.targets);
  const routes = routesAt(gateways);
  const collected = views.map((view) => viewOf(view, names, ways, ({ object }) => routes.has(object)));
  const choices = collected.map((view) => new Choices(view, names));
  const rows = {
    title,
    notes,
    made: now.toISOString(),
    objects: names.objects,
    links: names.links,
    policies: policyRows(views, names),
    ways: ways.rows,
    requests: requestData(topology, gateways, names, choices),
    views: collected.map(({ data }, index) => ({ ...data, ...(choices[index] as Choices).rows })),
    issues: issueRows(issues, names),
    verdicts: verdictRows(verdicts, names),
  };
  return { ...rows, texts: names.texts };
}
