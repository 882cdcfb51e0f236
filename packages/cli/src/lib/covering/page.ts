import { printable } from '@policy-machinery/resource';
import type { Table } from '../model/answer.ts';
import { textOf, titleCase } from '../output/table.ts';
import type { Cause } from './causes.ts';
import { type Status, signs, statuses } from './status.ts';

export interface PageContent {
  readonly sentence: string;
  readonly causes: readonly Cause[];
  readonly matrix: Table;
  readonly holes: Table;
}

const style = `
:root { color-scheme: light dark; --ink: #1c1f24; --paper: #fff; --line: #d8dce2; --hole: #b3400a; --weak: #7a5a00; --ok: #0b5c8f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaee; --paper: #16181c; --line: #3a3f47; --hole: #ff9a66; --weak: #e3c15c; --ok: #7cc4f2; } }
body { margin: 2rem auto; max-width: 90rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid var(--line); }
.uncovered { color: var(--hole); font-weight: 600; } .weak, .unknown { color: var(--weak); } .covered { color: var(--ok); }
`;

/** Returns a separate page that needs no network and runs no code. */
export function coveragePage({ sentence, causes, matrix, holes }: PageContent): string {
  const items = causes.map(
    ({ status, cause, remedy, routes }) =>
      `<tr><td class="${status}">${signs[status]} ${routes.length}</td><td>${escaped(cause)}</td><td>${escaped(remedy)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Coverage</title>
<style>${style}</style>
<h1>${escaped(sentence)}</h1>
${items.length === 0 ? '' : `<h2>Repairs</h2>\n<div class="wide"><table>${items.join('')}</table></div>`}
<h2>Requests</h2>
${tableHtml(matrix)}
${holes.rows.length === 0 ? '' : `<h2>Routes</h2>\n${tableHtml(holes)}`}
</html>
`;
}

function tableHtml({ columns, rows }: Table): string {
  const head = columns.map(({ name, title = titleCase(name) }) => `<th scope="col">${escaped(title)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => cellHtml(textOf(cell))).join('')}</tr>`);
  return `<div class="wide"><table><tr>${head}</tr>${body.join('\n')}</table></div>`;
}

function cellHtml(text: string): string {
  const status = statuses.find((each: Status) => text.startsWith(signs[each]));
  return `<td${status === undefined ? '' : ` class="${status}"`}>${escaped(text)}</td>`;
}

/** Makes text of objects safe in a page. */
function escaped(text: string): string {
  return printable(text).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
