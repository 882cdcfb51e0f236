import type { HttpRequest } from '@policy-machinery/gateway-api';
import { cardsFor } from '../src/lib/answers/cards.ts';
import { descendants } from '../src/lib/answers/descendants.ts';
import type { AnsweredRule, PortAnswer } from '../src/lib/answers/request-answer.ts';
import type { NodeId } from '../src/lib/data/report-data.ts';
import { type Child, count, h, joined } from './dom.ts';
import { fieldsTable } from './fields-table.ts';
import { issuesAbout } from './issues-about.ts';
import { targetLink } from './links.ts';
import { asFarAsDecided } from './outcomes.ts';
import type { Page } from './page.ts';
import { unmergedView } from './unmerged-view.ts';

/**
 * Returns the answer to a request: which rule takes it at each Gateway, and the policies that it meets.
 *
 * @param usualPort The default port of the request's scheme, which is shown first.
 */
export function requestView(page: Page, request: HttpRequest, usualPort: number): Child {
  const { method = 'GET', host = '', path = '/' } = request;
  const answers = page.requests.answer(request);
  const isUnusual = ({ port }: PortAnswer): number => Number(port !== usualPort);
  const taken = answers
    .filter(({ listener }) => listener !== undefined)
    .sort((a, b) => Number(!a.winner) - Number(!b.winner) || isUnusual(a) - isUnusual(b));
  const others = answers.length - taken.length;
  return [
    h('h2', {}, h('span', { class: 'kind' }, method), ' ', `${host}${path}`),
    taken.length === 0 ? h('p', {}, 'No listener takes this host.') : undefined,
    taken.map((answer) => portView(page, answer)),
    others > 0
      ? h('p', { class: 'quiet' }, `${count(others, 'other port')} of Gateways: no listener takes this host.`)
      : undefined,
  ];
}

/** The unknown facts that decide whether a rule takes a request. */
const unknowns: Readonly<Record<PortAnswer['undecided'][number]['dependsOn'], string>> = {
  'regular expression': 'if its regular expression matches',
  'adjacent slashes': 'if the data plane reads adjacent slashes so',
  'missing certificate': 'if a listener of its port lacks its certificate, or has it',
  'missing tls': 'if the data plane takes requests for HTTPS at a listener without tls',
  'shared hostname': 'if the listener takes HTTPRoutes and GRPCRoutes for one hostname',
  'hostname precedence': 'if the hostnames of the routes decide so',
  'listener isolation': 'if the data plane does not isolate listeners',
  age: 'if its route is the older one',
  'precedence of kinds': 'if it precedes a rule of the other kind of route',
};

function portView(page: Page, answer: PortAnswer): HTMLElement {
  const { gateway, port, winner, lost, undecided } = answer;
  const mayTake = undecided.filter(({ isLost }) => !isLost);
  return h(
    'section',
    { class: 'port' },
    h('h3', {}, targetLink(page.report, gateway), ` port ${port}`),
    winner === undefined
      ? [
          withoutWinner(page, answer, mayTake.length > 0),
          issuesAbout(page, (route, message) => isRouteTo(page, gateway, route, message)),
        ]
      : [
          h('p', { class: 'verdict' }, ...wayOf(page, winner)),
          policiesOnTheWay(page, winner),
          unmergedView(page, targetsOnTheWay(page, winner)),
        ],
    mayTake.length === 0
      ? undefined
      : h(
          'div',
          { class: 'facts' },
          h('h4', {}, 'May take the request'),
          ruleList(page, mayTake.slice(0, 10), ({ dependsOn }) => unknowns[dependsOn]),
        ),
    lost.length === 0
      ? undefined
      : h(
          'details',
          { class: 'card' },
          h(
            'summary',
            {},
            lost.length === 1
              ? '1 other rule matches, but loses'
              : `${count(lost.length, 'other rule')} match, but lose`,
          ),
          ruleList(page, lost.slice(0, 50), ({ why }) => `lost by: ${why}`),
        ),
  );
}

/** Returns whether an issue is about a route that names a Gateway: for example, a listener refuses the route. */
function isRouteTo({ report }: Page, gateway: NodeId, route: NodeId, message: string): boolean {
  const { label } = report.node(gateway);
  return report.node(route).kind.includes('Route') && [' ', '#', ','].some((end) => message.includes(`${label}${end}`));
}

/** Returns the answer at a port where no route is known to take the request. */
function withoutWinner({ report }: Page, { listener, unmatched }: PortAnswer, isUndecided: boolean): HTMLElement {
  const [tone, name, text] = isUndecided
    ? ['part', 'Undecided', 'and whether a route takes the request is not known']
    : ['bad', '404', 'but no route takes the request'];
  return h(
    'p',
    { class: 'verdict' },
    h('span', { class: `outcome ${tone}` }, name),
    ' Listener ',
    listener === undefined ? '' : targetLink(report, listener),
    ` takes the host, ${text}.`,
    unmatched === 0
      ? ''
      : ` ${unmatched === 1 ? '1 route here asks' : `${unmatched} routes here ask`} for something else.`,
  );
}

function ruleList<Rule extends AnsweredRule>(
  page: Page,
  rules: readonly Rule[],
  reasonOf: (rule: Rule) => string,
): HTMLElement {
  const items = rules.map((rule) => h('li', {}, wayOf(page, rule), h('span', { class: 'how' }, ` ${reasonOf(rule)}`)));
  return h('ul', { class: 'rows' }, items);
}

/** Returns the way of a request: the listener, the routes that delegate, and the rule. */
function wayOf({ report }: Page, { entry, node }: AnsweredRule): readonly Child[] {
  const delegating = entry.filter((_, index) => index === 0 || index % 2 === 0); // The listener, and of each route its rule.
  return joined(
    [...delegating, node].map((id) => targetLink(report, id)),
    ' › ',
  );
}

/** Returns the targets that a request passes, from the listener to the backends. */
function targetsOnTheWay({ report }: Page, { entry, node }: AnsweredRule): readonly NodeId[] {
  const isBackend = (id: NodeId): boolean => id === node || !/^HTTPRoute(?:\.|$)/.test(report.node(id).kind);
  return [...entry, ...descendants(report, [node], isBackend)];
}

/** Returns the policies that apply to a request, for each policy kind: at the listener, the route, the rule and the backends. */
function policiesOnTheWay(page: Page, rule: AnsweredRule): Child {
  const { report } = page;
  const kinds = report.data.views.flatMap((_, view) => {
    const met = [...page.onTheWay.of(view, rule.node, rule.entry)].map(([target, contexts]) => ({
      target,
      cards: cardsFor(report, view, contexts).filter(({ group }) => group >= 0),
    }));
    const targets = met.filter(({ cards }) => cards.length > 0);
    if (targets.length === 0) return [];
    return h(
      'section',
      { class: 'answer-kind' },
      h('h4', {}, page.kindOf(view)),
      targets.map(({ target, cards }) =>
        cards.map(({ group }) =>
          h(
            'div',
            { class: 'card' },
            h('p', { class: 'at' }, targetLink(report, target)),
            fieldsTable(report, view, group),
          ),
        ),
      ),
    );
  });
  const none = `The request meets no policy${asFarAsDecided(report)}.`;
  return kinds.length === 0 ? h('p', { class: 'quiet' }, none) : kinds;
}
