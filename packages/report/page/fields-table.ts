import type { Report } from '../src/lib/data/report.ts';
import type { PolicyId } from '../src/lib/data/report-data.ts';
import { type Child, h, joined } from './dom.ts';
import { policyLink } from './links.ts';

/** Returns a table of what applies in a group: each field with its value and origin, then the losses and their reasons. */
export function fieldsTable(report: Report, view: number, group: number, only?: PolicyId): HTMLElement {
  const data = report.data.views[view];
  const [fields = []] = data?.groups[group] ?? [];
  const rows = fields.flatMap((place) => {
    const [pointer, value, by, over] = data?.fields[place] ?? [0, -1, [], []];
    const holders = by.flatMap((layer) => (data?.layers[layer] ? [data.layers[layer]] : []));
    const lost = over.flatMap((loss) => {
      const row = data?.losses[loss];
      const layer = row && data?.layers[row[1]];
      return row && layer ? [{ value: row[0], policy: layer[0], how: layer[2], why: row[2] }] : [];
    });
    const isMeant =
      only === undefined || holders.some(([policy]) => policy === only) || lost.some((it) => it.policy === only);
    if (!isMeant) return [];
    const name = fieldName(report.text(pointer));
    const holder = h(
      'tr',
      { class: 'field' },
      h('th', { scope: 'row', rowspan: 1 + lost.length }, name),
      h(
        'td',
        { class: 'value' },
        value === -1 ? h('span', { class: 'unset' }, 'not set') : valueText(report.text(value)),
      ),
      h(
        'td',
        {},
        joined(
          holders.map(([policy]) => (policy === -1 ? 'the target itself' : policyLink(report, policy))),
          ', ',
        ),
      ),
      h(
        'td',
        { class: 'how' },
        joined(
          holders.map(([, , how]) => report.text(how)),
          ', ',
        ),
      ),
    );
    const others = lost.map((it) =>
      h(
        'tr',
        { class: 'lost' },
        h('td', { class: 'value' }, h('s', {}, it.value === -1 ? 'removed' : valueText(report.text(it.value)))),
        h('td', {}, it.policy === -1 ? 'the target itself' : policyLink(report, it.policy)),
        h('td', { class: 'how' }, h('span', { class: 'sr' }, 'lost: '), report.text(it.why)),
      ),
    );
    return [holder, ...others];
  });
  if (rows.length === 0) return h('p', { class: 'quiet' }, 'The policies set no field.');
  const heads = ['Field', 'Value', 'Set by', 'How, or why it lost'].map((head) => h('th', { scope: 'col' }, head));
  return scrolling(h('table', { class: 'fields' }, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, rows)));
}

/** Returns an element that can be scrolled sideways, also by keyboard. */
export function scrolling(...children: readonly Child[]): HTMLElement {
  return h('div', { class: 'scroll', tabindex: '0', role: 'group' }, children);
}

/** Returns a value. Lines of JSON break between its tokens, and within one only if the token alone is too long. */
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
    const parts = name.split(/(?=[A-Z])/).map((part, at) => (at === 0 ? part : [h('wbr'), part]));
    return index === 0 ? parts : ['.', h('wbr'), parts];
  });
}
