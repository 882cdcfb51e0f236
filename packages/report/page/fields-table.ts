import type { Report } from '../src/lib/data/report.ts';
import type { PolicyId, ReportData } from '../src/lib/data/report-data.ts';
import { type Child, h, joined } from './dom.ts';
import { policyLink } from './links.ts';

/** Returns a table of the effective policy in a group: each field with its value and origin, then the losses and their reasons. */
export function fieldsTable(report: Report, view: number, group: number, only?: PolicyId): HTMLElement {
  const [fields = []] = report.data.views[view]?.groups[group] ?? [];
  const shown = fields
    .map((place) => fieldAt(report, view, place))
    .filter(({ holders, losses }) => {
      return (
        only === undefined ||
        holders.some(([policy]) => policy === only) ||
        losses.some(({ policy }) => policy === only)
      );
    });
  if (shown.length === 0) return h('p', { class: 'quiet' }, 'The policies set no field.');
  const heads = ['Field', 'Value', 'Set by', 'How, or why it lost'].map((head) => h('th', { scope: 'col' }, head));
  const rows = shown.map((field) => [holderRow(report, field), field.losses.map((loss) => lossRow(report, loss))]);
  return scrolling(h('table', { class: 'fields' }, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, rows)));
}

/** A field of a group: texts by their numbers, and -1 for no value. */
interface ShownField {
  readonly pointer: number;
  readonly value: number;
  readonly holders: ReportData['views'][number]['layers'];
  readonly losses: readonly ShownLoss[];
}

interface ShownLoss {
  readonly value: number;
  readonly policy: PolicyId;
  readonly why: number;
}

function fieldAt(report: Report, view: number, place: number): ShownField {
  const data = report.data.views[view];
  const [pointer, value, by, over] = data?.fields[place] ?? [0, -1, [], []];
  const holders = by.flatMap((layer) => (data?.layers[layer] ? [data.layers[layer]] : []));
  const losses = over.flatMap((loss) => {
    const row = data?.losses[loss];
    const layer = row && data?.layers[row[1]];
    return row && layer ? [{ value: row[0], policy: layer[0], why: row[2] }] : [];
  });
  return { pointer, value, holders, losses };
}

function holderRow(report: Report, { pointer, value, holders, losses }: ShownField): HTMLElement {
  const policies = holders.map(([policy]) => setterOf(report, policy));
  const ways = holders.map(([, , how]) => report.text(how));
  return h(
    'tr',
    { class: 'field' },
    h('th', { scope: 'row', rowspan: 1 + losses.length }, fieldName(report.text(pointer))),
    h(
      'td',
      { class: 'value' },
      value === -1 ? h('span', { class: 'unset' }, 'not set') : valueText(report.text(value)),
    ),
    h('td', {}, joined(policies, ', ')),
    h('td', { class: 'how' }, joined(ways, ', ')),
  );
}

function lossRow(report: Report, { value, policy, why }: ShownLoss): HTMLElement {
  return h(
    'tr',
    { class: 'lost' },
    h('td', { class: 'value' }, h('s', {}, value === -1 ? 'removed' : valueText(report.text(value)))),
    h('td', {}, setterOf(report, policy)),
    h('td', { class: 'how' }, h('span', { class: 'sr' }, 'lost: '), report.text(why)),
  );
}

function setterOf(report: Report, policy: PolicyId): Child {
  return policy === -1 ? 'the target itself' : policyLink(report, policy);
}

/** Returns an element that can be scrolled sideways, also by keyboard. */
export function scrolling(...children: readonly Child[]): HTMLElement {
  return h('div', { class: 'scroll', tabindex: '0', role: 'group' }, children);
}

/** Returns a value. Lines of YAML break between its tokens, and within one only if the token alone is too long. */
function valueText(text: string): Child {
  if (!/^[[{]/.test(text)) return text;
  return text.split(/(?<=[,[{])/).map((token) => [token, h('wbr')]);
}

/** Returns a JSON Pointer as names separated by dots. Lines may break after each dot, and before the capitals in a name. */
function fieldName(pointer: string): Child {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (names.length === 0) return 'all';
  return names.map((name, index) => {
    const parts = name.split(/(?=[A-Z])/).map((part, position) => (position === 0 ? part : [h('wbr'), part]));
    return index === 0 ? parts : ['.', h('wbr'), parts];
  });
}
