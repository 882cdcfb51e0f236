import { PolicyMachineryError } from '@policy-machinery/resource';
import { Report } from '../src/lib/data/report.ts';
import { askBox } from './ask-box.ts';
import { type Child, h } from './dom.ts';
import { exampleQuestions } from './examples.ts';
import { questionAddress, questionIn } from './links.ts';
import { Page } from './page.ts';
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

async function start(): Promise<void> {
  const report = new Report(await readData());
  const page = new Page(report);
  const { title, made } = report.data;

  const box = askBox(page, (text) => {
    if (questionIn(location.hash) === text) answer(text);
    else location.hash = questionAddress(text);
  });
  const answers = h('div', { id: 'answer', 'aria-live': 'polite', tabindex: '-1' });
  answers.hidden = true;
  const answer = (text: string): void => {
    box.set(text);
    answers.hidden = text.trim() === '';
    answers.replaceChildren(h('div', {}, answers.hidden ? undefined : answerTo(page, text)));
    document.title = text.trim() === '' ? title : `${text} – ${title}`;
  };
  const follow = (): void => {
    const text = questionIn(location.hash);
    if (text === undefined) return;
    answer(text);
    scrollTo({ top: 0 });
  };

  const nav = h(
    'nav',
    { 'aria-label': 'On this page' },
    h('a', { href: '#issues' }, 'What is wrong', h('span', { class: 'count' }, String(report.data.issues.length))),
    h('a', { href: '#policies' }, 'Policies', h('span', { class: 'count' }, String(report.policies.length))),
    h('a', { href: '#topology' }, 'Topology'),
  );
  document.body.append(
    h(
      'header',
      {},
      h(
        'div',
        {},
        h('h1', {}, title),
        h('p', { class: 'quiet' }, summaryLine(report)),
        report.data.notes.map((note) => h('p', { class: 'note' }, note)),
      ),
      themeButton(),
    ),
    h(
      'main',
      {},
      box.element,
      exampleQuestions(report),
      answers,
      nav,
      issuesSection(report),
      policiesSection(report),
      topologySection(page),
    ),
    h(
      'footer',
      { class: 'quiet' },
      'Made ',
      h('time', { datetime: made }, made.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')),
    ),
  );
  addEventListener('hashchange', follow);
  follow();
  document.documentElement.dataset.ready = 'true';
}

void start();
