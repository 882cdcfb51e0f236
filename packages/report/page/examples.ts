import type { Report } from '../src/lib/data/report.ts';
import type { NodeId } from '../src/lib/data/report-data.ts';
import { h } from './dom.ts';
import { questionAddress } from './links.ts';

/** Returns example questions that this page can answer, one of each sort. */
export function exampleQuestions(report: Report): HTMLElement {
  const texts = [exampleTarget(report), exampleRequest(report), examplePolicy(report)].filter(
    (text) => text !== undefined,
  );
  if (texts.length === 0) return h('p', { class: 'examples', hidden: true });
  return h(
    'p',
    { class: 'examples' },
    'For example',
    texts.map((text) => [' ', h('a', { class: 'chip', href: questionAddress(text) }, text)]),
  );
}

function exampleTarget(report: Report): string | undefined {
  const { objects, data } = report;
  const isReached = (id: NodeId): boolean => data.views.some((_, view) => report.contextsOf(view, id).length > 0);
  for (const object of objects) {
    const { id, sections } = report.node(object);
    const reached = [id, ...sections].find(isReached);
    if (reached !== undefined) return report.node(reached).label;
  }
  const [first] = objects;
  return first === undefined ? undefined : report.node(first).label;
}

/** Returns a request that a route may take; to an example host if no route names one. `undefined` without Gateways. */
function exampleRequest({ data }: Report): string | undefined {
  const { gateways, routeLists, routes } = data.requests;
  const listed = gateways.flatMap(([, listeners]) => listeners.flatMap((it) => routeLists[it.routes] ?? []));
  for (const place of listed) {
    const [, , rules, hostnames] = routes[place] ?? [];
    if (!Array.isArray(rules) || !Array.isArray(hostnames) || typeof hostnames[0] !== 'string') continue;
    const path = rules.flat().find((match) => typeof match === 'string');
    const host = hostnames[0].replace('*', 'www');
    return `GET https://${host}${typeof path === 'string' ? path.replace(/^=/, '') : '/'}`;
  }
  return gateways.length === 0 ? undefined : 'GET https://www.example.com/';
}

/** Returns the label of a policy that lost something; if there is none, of any policy. */
function examplePolicy({ policies }: Report): string | undefined {
  return (policies.find(({ outcome }) => outcome === 'partly-enforced' || outcome === 'overridden') ?? policies[0])
    ?.label;
}
