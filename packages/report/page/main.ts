import { PolicyMachineryError } from '@policy-machinery/resource';
import { Report } from '../src/lib/data/report.ts';
import type { ReportData } from '../src/lib/data/report-data.ts';
import { askBox } from './ask-box.ts';
import { type Child, h } from './dom.ts';
import { exampleQuestions } from './examples.ts';
import { guaranteesSection } from './guarantees-section.ts';
import { keepingPlace } from './keeping-place.ts';
import { questionAddress, questionIn } from './links.ts';
import { followServer } from './live.ts';
import { type Chosen, Page } from './page.ts';
import { policyView } from './policy-view.ts';
import { readData } from './read-data.ts';
import { requestView } from './request-view.ts';
import { issuesSection, policiesSection, summaryLine } from './tables.ts';
import { targetView } from './target-view.ts';
import { themeButton } from './theme.ts';
import { topologySection } from './topology-section.ts';

function answerTo(page: Page, text: string): Child {
  const question = page.questions.read(text);
  if (question.about === 'target') return targetView(page, question.node);
  if (question.about === 'policy') return policyView(page, question.policy);
  if (question.about === 'nothing') return h('p', {}, question.why);
  try {
    return requestView(page, question.request, question.usualPort);
  } catch (error) {
    if (error instanceof PolicyMachineryError) return h('p', {}, error.message);
    throw error;
  }
}

/** The parts of the page that change with the data. */
const partNames = ['header', 'examples', 'nav', 'issues', 'policies', 'guarantees', 'topology', 'made'] as const;

type Parts = Readonly<Record<(typeof partNames)[number], HTMLElement>>;

function partsOf(page: Page): Parts {
  const { report } = page;
  const { title, notes, issues, made } = report.data;
  const counted = (href: string, name: string, some?: number) =>
    h('a', { href }, name, some === undefined ? undefined : h('span', { class: 'count' }, String(some)));
  const about = h(
    'div',
    {},
    h('h1', {}, title),
    h('p', { class: 'quiet' }, summaryLine(report)),
    notes.map((note) => h('p', { class: 'note' }, note)),
  );
  return {
    header: h('header', {}, about, themeButton()),
    examples: exampleQuestions(report),
    nav: h(
      'nav',
      { 'aria-label': 'On this page' },
      counted('#issues', 'What is wrong', issues.length),
      counted('#policies', 'Policies', report.policies.length),
      report.data.verdicts.length === 0 ? undefined : counted('#guarantees', 'Guarantees', report.data.verdicts.length),
      counted('#topology', 'Topology'),
    ),
    issues: issuesSection(page),
    policies: policiesSection(page),
    guarantees: guaranteesSection(report),
    topology: topologySection(page),
    made: h('time', { datetime: made }, made.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')),
  };
}

async function start(): Promise<void> {
  const { data: first, version } = await readData();
  const chosen: Chosen = { filter: 0, drawn: undefined, open: new Map(), long: new Set() };
  let page = new Page(new Report(first), chosen);
  let parts = partsOf(page);

  const box = askBox(
    () => page,
    (text) => {
      if (questionIn(location.hash) === text) answer(text);
      else location.hash = questionAddress(text);
    },
  );
  const answers = h('div', { id: 'answer', 'aria-live': 'polite', tabindex: '-1' });
  answers.hidden = true;
  let asked = '';
  const showAnswer = (): void => {
    answers.hidden = asked.trim() === '';
    answers.replaceChildren(h('div', {}, answers.hidden ? undefined : answerTo(page, asked)));
    const { title } = page.report.data;
    document.title = answers.hidden ? title : `${asked} – ${title}`;
  };
  const answer = (text: string): void => {
    asked = text;
    box.set(text);
    showAnswer();
  };
  const follow = (): void => {
    const text = questionIn(location.hash);
    if (text === undefined) return;
    answer(text);
    scrollTo({ top: 0 });
  };

  const { header, examples, nav, issues, policies, guarantees, topology, made } = parts;
  const live = h('span', { id: 'live', role: 'status' });
  document.body.append(
    header,
    h('main', {}, box.element, examples, answers, nav, issues, policies, guarantees, topology),
    h('footer', { class: 'quiet' }, 'Made ', made, ' ', live),
  );
  addEventListener('hashchange', follow);
  follow();

  const show = (data: ReportData): void => {
    page = new Page(new Report(data), chosen);
    const next = partsOf(page);
    keepingPlace(() => {
      for (const name of partNames) parts[name].replaceWith(next[name]);
      if (!answers.hidden) showAnswer();
    });
    parts = next;
  };
  if (version !== undefined) {
    followServer(version, show, (state, text) => {
      document.documentElement.dataset.live = state;
      live.textContent = text;
    });
  }
  document.documentElement.dataset.ready = 'true';
}

void start();
