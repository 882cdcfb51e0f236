import { PolicyMachineryError } from '@policy-machinery/resource';
import { listedPolicies } from '../src/lib/answers/listed-policies.ts';
import { Report } from '../src/lib/data/report.ts';
import type { ReportData } from '../src/lib/data/report-data.ts';
import { AskBox } from './ask-box.ts';
import { concernEvent, coverageSection } from './coverage-section.ts';
import { type Child, h } from './dom.ts';
import { exampleQuestions } from './examples.ts';
import { guaranteesSection } from './guarantees-section.ts';
import { keepingPlace } from './keeping-place.ts';
import { questionAddress, questionIn } from './links.ts';
import { followServer } from './live.ts';
import { chosenAtFirst, Page } from './page.ts';
import { policyView } from './policy-view.ts';
import { readData, readServed } from './read-data.ts';
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

/** A part of the page that changes with the data. */
interface Part {
  readonly make: (page: Page) => HTMLElement;
  /** Returns the tables that it shows: with the same tables, it stays unchanged. */
  readonly of: (data: ReportData) => readonly unknown[];
}

/** The parts, in their order. The first two are above the answer, and the first ones on the first screen. */
const parts = {
  header: {
    make: headerOf,
    of: ({ title, notes, made, targets, policies }) => [title, notes, made, targets, policies],
  },
  examples: {
    make: ({ report }) => exampleQuestions(report),
    of: ({ targets, policies, views, requests }) => [targets, policies, views, requests],
  },
  coverage: { make: coverageSection, of: ({ coverage, targets }) => [coverage, targets] },
  nav: { make: navOf, of: ({ issues, policies, verdicts }) => [issues, policies, verdicts] },
  issues: { make: issuesSection, of: ({ issues }) => [issues] },
  policies: { make: policiesSection, of: ({ policies }) => [policies] },
  guarantees: { make: ({ report }) => guaranteesSection(report), of: ({ verdicts }) => [verdicts] },
  topology: {
    make: topologySection,
    of: ({ targets, links, policies, coverage }) => [targets, links, policies, coverage],
  },
} satisfies Readonly<Record<string, Part>>;

const partsOnFirstScreen = 3;

/** Settles once the browser has painted the page, or a little later, because it paints nothing in the background. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 100);
  });
}

function headerOf({ report }: Page): HTMLElement {
  const { title, notes, made } = report.data;
  const time = h('time', { datetime: made }, made.replace('T', ' ').replace(/\.\d+Z$/, ' UTC'));
  const about = h(
    'div',
    {},
    h('h1', {}, title),
    h('p', { class: 'quiet' }, summaryLine(report)),
    notes.map((note) => h('p', { class: 'note' }, note)),
    h('p', { class: 'quiet' }, 'As of ', time),
  );
  return h('header', {}, about, themeButton());
}

function navOf({ report }: Page): HTMLElement {
  const { issues, verdicts } = report.data;
  const counted = (href: string, name: string, some?: number) =>
    h('a', { href }, name, some === undefined ? undefined : h('span', { class: 'count' }, String(some)));
  return h(
    'nav',
    { 'aria-label': 'On this page' },
    counted('#issues', 'What is wrong', issues.length),
    counted('#policies', 'Policies', listedPolicies(report).length),
    verdicts.length === 0 ? undefined : counted('#guarantees', 'Guarantees', verdicts.length),
    counted('#topology', 'Topology'),
  );
}

/** Returns the answer to the question in the address, and the box for questions. */
function createAnswers(pageNow: () => Page) {
  const element = h('div', { id: 'answer', 'aria-live': 'polite', tabindex: '-1', hidden: true });
  let [asked, shown] = ['', ''];
  const show = (): void => {
    const page = pageNow();
    const { title } = page.report.data;
    const isEmpty = asked.trim() === '';
    element.hidden = isEmpty;
    const next = h('div', {}, isEmpty ? undefined : answerTo(page, asked));
    if (next.outerHTML !== shown) element.replaceChildren(next);
    shown = next.outerHTML;
    document.title = isEmpty ? title : `${asked} – ${title}`;
  };
  const answer = (text: string): void => {
    [asked, shown] = [text, ''];
    box.set(text);
    show();
  };
  const box = new AskBox(pageNow, (text) => {
    if (questionIn(location.hash) === text) answer(text);
    else location.hash = questionAddress(text);
  });
  const follow = (): void => {
    const text = questionIn(location.hash);
    if (text === undefined) return;
    answer(text);
    scrollTo({ top: 0 });
  };
  /** Answers again, for example after a change of the data. */
  const refresh = (): void => {
    if (!element.hidden) show();
  };
  return { element, box, follow, refresh };
}

/** A part on the page. */
interface Drawn {
  readonly part: Part;
  element: HTMLElement;
}

/** Makes parts, in place of their last elements. */
function draw(drawn: readonly Drawn[], page: Page): void {
  for (const each of drawn) {
    const next = each.part.make(page);
    each.element.replaceWith(next);
    each.element = next;
  }
}

async function start(): Promise<void> {
  const { data: first, version } = (await readData()) ?? (await readServed());
  const chosen = chosenAtFirst();
  let page = new Page(new Report(first), chosen);
  const answers = createAnswers(() => page);
  const drawn = Object.entries<Part>(parts).map(([name, part], index) => {
    return { name, part, element: index < partsOnFirstScreen ? part.make(page) : h('section', { hidden: true }) };
  });
  const live = h('span', { id: 'live', role: 'status' });
  const [header, examples, ...sections] = drawn.map(({ element }) => element);
  const asking = h('div', { class: 'asking' }, answers.box.element, examples);
  document.body.append(
    h('div', { class: 'top' }, header, asking),
    h('main', {}, answers.element, sections),
    h('footer', { class: 'quiet' }, live),
  );
  addEventListener('hashchange', answers.follow);
  answers.follow();

  await painted();
  draw(drawn.slice(partsOnFirstScreen), page);

  const redraw = (isStale: (each: (typeof drawn)[number]) => boolean): void => {
    keepingPlace(() => {
      draw(drawn.filter(isStale), page);
      answers.refresh();
    });
  };
  addEventListener(concernEvent, () => redraw(({ name }) => name === 'coverage' || name === 'topology'));
  const show = (data: ReportData): void => {
    const earlierData = page.report.data;
    page = new Page(new Report(data, page.report), chosen, page);
    redraw(({ part }) => {
      const earlierTables = part.of(earlierData);
      return part.of(data).some((table, index) => table !== earlierTables[index]);
    });
  };
  if (version !== undefined) {
    followServer({ data: first, version }, show, (state, text) => {
      document.documentElement.dataset.live = state;
      live.textContent = text;
    });
  }
  document.documentElement.dataset.ready = 'true';
}

start().catch((error: unknown) => {
  const why = error instanceof Error ? error.message : String(error);
  document.body.append(h('main', {}, h('h1', {}, 'The page cannot be shown'), h('p', { role: 'alert' }, why)));
});
