import type { Report } from '../src/lib/data/report.ts';
import type { ShownRow } from '../src/lib/data/report-data.ts';
import { h } from './dom.ts';
import { scrolling } from './fields-table.ts';
import { questionAddress } from './links.ts';

const tones: Readonly<Record<string, string>> = { holds: 'good', broken: 'bad' };

/** Returns the section with guarantees, and the requests that break them; hidden without guarantees. */
export function guaranteesSection(report: Report): HTMLElement {
  const rows = report.data.verdicts.map(([name, meaning, answer, shown]) => {
    const said = report.text(answer);
    return h(
      'tr',
      {},
      h('td', {}, report.text(name), h('br'), h('span', { class: 'how' }, report.text(meaning))),
      h('td', {}, h('span', { class: `outcome ${tones[said] ?? 'part'}` }, said)),
      h(
        'td',
        { class: 'why' },
        shown.map((row) => h('div', {}, shownText(report, row))),
      ),
    );
  });
  if (rows.length === 0) return h('section', { id: 'guarantees', hidden: true });
  const heads = ['Guarantee', 'Answer', 'Why'].map((head) => h('th', { scope: 'col' }, head));
  const table = h('table', {}, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, rows));
  return h('section', { id: 'guarantees' }, h('h2', {}, 'Guarantees'), scrolling(table));
}

/** Returns the evidence for an answer; a request as a link to its answer on the page. */
function shownText(report: Report, [sentence, question]: ShownRow): Node | string {
  const text = report.text(sentence);
  return question === -1 ? text : h('a', { href: questionAddress(report.text(question)) }, text);
}
