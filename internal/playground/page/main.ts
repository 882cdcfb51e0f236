import { questionAddress, questionIn } from '../../../packages/report/page/links.ts';
import type { Answer, Finding, Question } from '../src/answer.ts';
import type { Example } from '../src/example.ts';
import type { HierarchyName } from '../src/hierarchy.ts';
import { fragmentOf, sharedIn } from './address.ts';
import { createEditor } from './editor.ts';

/** Written by the build: the example that the page opens with, and the names of all. */
declare const FIRST_EXAMPLE: Example;
declare const EXAMPLE_NAMES: readonly string[];
declare const DIALECTS: readonly string[];

/** The element with an id. The page has it. */
const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const [chooser, frame, findings, status, changes, compare] = [
  element<HTMLSelectElement>('example'),
  element<HTMLIFrameElement>('answer'),
  element('findings'),
  element('status'),
  element<HTMLTextAreaElement>('changes'),
  element('compare'),
];

const worker = new Worker('worker.js', { type: 'module' });
let dialects: Record<string, string> = {};
/** The manifests that the editor's are compared with. */
let before: string | undefined;
/** The hierarchy to show, if there are two. */
let hierarchy: HierarchyName | undefined;
let asked = 0;
let waits = false;
let isOutdated = false;

const editor = createEditor(element('editor'), ask);

/** Asks the worker, one question at a time: what is typed meanwhile is asked when the answer is there. */
function ask(): void {
  if (waits) {
    isOutdated = true;
    return;
  }
  waits = true;
  asked += 1;
  document.documentElement.dataset.answered = 'false';
  worker.postMessage({ text: editor.text, dialects, before, hierarchy, number: asked });
}

worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
  waits = false;
  show(data);
  if (isOutdated) {
    isOutdated = false;
    ask();
  }
});

function show(answer: Answer): void {
  editor.mark(answer.findings);
  showKinds(answer);
  showChanges(answer.changes);
  findings.replaceChildren(...answer.findings.map(findingItem));
  const count = answer.findings.length;
  status.textContent = count === 0 ? 'No findings.' : `${count} finding${count === 1 ? '' : 's'}.`;
  if (answer.page !== undefined) showPage(answer.page);
  document.documentElement.dataset.read = String(answer.read);
  document.documentElement.dataset.answered = 'true';
}

function findingItem({ line, severity, message }: Finding): HTMLLIElement {
  const button = document.createElement('button');
  button.type = 'button';
  const level = document.createElement('b');
  level.className = severity;
  level.textContent = severity;
  const place = document.createElement('span');
  place.textContent = `line ${line}`;
  button.append(level, ` ${message} `, place);
  button.addEventListener('click', () => editor.goTo(line));
  const item = document.createElement('li');
  item.append(button);
  return item;
}

function showChanges(lines: readonly string[] | undefined): void {
  changes.hidden = lines === undefined;
  compare.setAttribute('aria-pressed', String(before !== undefined));
  changes.value = lines?.length === 0 ? 'Nothing changes for any target or policy.' : (lines ?? []).join('\n');
}

let address: string | undefined;
/** The question that other manifests open with, until they are shown. */
let opening: string | undefined;

/** Returns the question that was asked in the report. */
function askedThere(): string | undefined {
  return opening ?? questionIn(frame.contentWindow?.location.hash ?? '');
}

/** Shows the report. The question that was asked there stays. */
function showPage(page: string): void {
  const question = askedThere();
  const last = address;
  opening = undefined;
  address = URL.createObjectURL(new Blob([page], { type: 'text/html' }));
  frame.contentWindow?.location.replace(address + (question === undefined ? '' : questionAddress(question)));
  if (last !== undefined) URL.revokeObjectURL(last);
}

function showKinds({ kinds, hierarchies }: Answer): void {
  const choices = kinds.filter(({ mayChoose }) => mayChoose);
  const labels = choices.map(({ name }) => {
    const select = document.createElement('select');
    select.append(new Option('not merged', ''), ...DIALECTS.map((dialect) => new Option(dialect)));
    select.value = dialects[name] ?? '';
    select.addEventListener('change', () => {
      const { [name]: _before, ...others } = dialects;
      dialects = select.value === '' ? others : { ...others, [name]: select.value };
      ask();
    });
    const label = document.createElement('label');
    label.append(`${name.split('/').at(-1)} merges as `, select);
    return label;
  });
  const host = element('dialects');
  if (hierarchies.length > 1) labels.unshift(hierarchyChooser(hierarchies));
  // While one is open, the choices stay as they are.
  if (!host.contains(document.activeElement)) host.replaceChildren(...labels);
}

/** Returns the chooser of the hierarchy to show. The shown one is the first. */
function hierarchyChooser([shown, ...others]: readonly HierarchyName[]): HTMLLabelElement {
  const select = document.createElement('select');
  const names = [...(shown === undefined ? [] : [shown]), ...others].sort();
  select.append(...names.map((name) => new Option(name)));
  select.value = shown ?? '';
  select.addEventListener('change', () => {
    hierarchy = names.find((name) => name === select.value);
    ask();
  });
  const label = document.createElement('label');
  label.append('Policies of ', select);
  return label;
}

function begin({ text, dialects: chosen, before: compared, hierarchy: wanted, question = '' }: Question): void {
  opening = question;
  dialects = { ...chosen };
  before = compared;
  hierarchy = wanted;
  editor.replace(text);
}

chooser.append(...EXAMPLE_NAMES.map((name, index) => new Option(name, String(index))));
chooser.addEventListener('change', async () => {
  const { examples } = await import('./examples.ts');
  begin(examples[Number(chooser.value)] ?? FIRST_EXAMPLE);
});

compare.addEventListener('click', () => {
  before = before === undefined ? editor.text : undefined;
  ask();
});

element('link').addEventListener('click', async () => {
  const asked = { text: editor.text, dialects, before, hierarchy, question: askedThere() };
  history.replaceState(undefined, '', fragmentOf(asked));
  status.textContent = await navigator.clipboard.writeText(location.href).then(
    () => 'Copied: the address of this page holds the manifests and the question.',
    () => 'The address of this page now holds the manifests and the question: copy it.',
  );
});

addEventListener('hashchange', () => {
  const shared = sharedIn(location.hash);
  if (shared !== undefined) begin(shared);
});
begin(sharedIn(location.hash) ?? FIRST_EXAMPLE);
