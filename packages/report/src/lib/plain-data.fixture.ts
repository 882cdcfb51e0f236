import { Report } from './data/report.ts';
import type { ContextRow, NodeId, ReportData, Text } from './data/report-data.ts';

/** Returns what the data of a page says, in names in place of numbers: two pages that say the same have the same. */
export function plainData(data: ReportData): unknown {
  const report = new Report(data);
  const label = (id: NodeId) => report.node(id).label;
  const labels = (ids: Iterable<NodeId>) => Array.from(ids, label);
  const text = (place: Text | -1) => (place === -1 ? 'none' : report.text(place));
  const named = <Value>(items: readonly (readonly [string, Value])[]) =>
    Object.fromEntries([...items].sort(([a], [b]) => (a < b ? -1 : 1)));
  const policy = (id: number) => (id === -1 ? 'none' : report.policy(id).label);

  const groupIn = (view: number, group: number): unknown => {
    const { fields = [], shares = [], layers = [], losses = [], groups = [] } = data.views[view] ?? {};
    const layer = (place: number) => {
      const [by = -1, node = -1, how = -1] = layers[place] ?? [];
      return [policy(by), node === -1 ? 'none' : label(node), text(how)];
    };
    const [ofFields = [], ofShares = []] = groups[group] ?? [];
    return {
      fields: ofFields.map((place) => {
        const [pointer = -1, value = -1, by = [], over = []] = fields[place] ?? [];
        const lost = over.map((loss) => {
          const [was = -1, at = -1, why = -1] = losses[loss] ?? [];
          return [text(was), layer(at), text(why)];
        });
        return [text(pointer), text(value), by.map(layer), lost];
      }),
      shares: ofShares.map((place) => {
        const [by = -1, ...texts] = shares[place] ?? [];
        return [policy(by), ...texts.map(text)];
      }),
    };
  };
  const context = (view: number, [group, paths, ...ways]: ContextRow) => [
    group === -1 ? 'none' : groupIn(view, group),
    paths,
    ways.map((way) => labels(report.wayOf(way))),
  ];
  const { gateways, routeLists, routes, entries } = data.requests;
  const routesIn = (list: number) =>
    (routeLists[list] ?? []).map((place) => {
      const [node = -1, created, rules, hostnames, via = []] = routes[place] ?? [];
      return [label(node), created, rules, hostnames ?? null, labels(via)];
    });
  const choicesOf = (view: number, rule: NodeId) => {
    const { choices = [], choiceLists = [] } = data.views[view] ?? {};
    const row = choices[rule] || [];
    const pairs = row.flatMap((target, at) => (at % 2 === 0 ? [[target, row[at + 1] ?? 0] as const] : []));
    return named(
      pairs.map(([target, choice]) => {
        const list = choice < 0 ? (choiceLists[-1 - choice] ?? []) : [];
        const met = list.map((it, at) => (at % 2 === 0 ? labels(entries[it] ?? []).join(' ') : it));
        return [label(target), choice < 0 ? met : choice];
      }),
    );
  };
  return {
    ...{ title: data.title, notes: data.notes, made: data.made },
    targets: named(
      report.nodes.map(({ label: own, kind, name, namespace, sections, up, down, policies }) => {
        const [above, under] = [labels(up).sort(), labels(down).sort()];
        return [
          own,
          { kind, name, namespace, sections: labels(sections), above, under, policies: policies.map(policy).sort() },
        ];
      }),
    ),
    policies: report.policies.map(({ label: own, outcome, message, targets }) => [
      own,
      outcome,
      message,
      labels(targets),
    ]),
    views: data.views.map(({ kind }, view) => ({
      kind: text(kind),
      contexts: named(
        report.nodes.map(({ id }) => [label(id), report.contextsOf(view, id).map((row) => context(view, row))]),
      ),
      below: named(
        report.nodes.map(({ id }) => {
          const counts = [...report.belowOf(view, id)].map(([group, count]) =>
            JSON.stringify([groupIn(view, group), count]),
          );
          return [label(id), counts.sort()];
        }),
      ),
      choices: named(report.nodes.map(({ id }) => [label(id), choicesOf(view, id)])),
    })),
    gateways: gateways.map(([gateway, listeners]) => [
      label(gateway),
      listeners.map(({ node, routes: list, delegated, ...rest }) => {
        return {
          ...rest,
          node: label(node),
          routes: routesIn(list),
          delegated: delegated === undefined ? [] : routesIn(delegated),
        };
      }),
    ]),
    issues: data.issues.map(([severity, message, where, by, node]) => {
      return [text(severity), text(message), text(where), policy(by), node === -1 ? 'none' : label(node)];
    }),
  };
}
