import type { Report } from '../src/lib/data/report.ts';
import type { NodeId, PolicyId } from '../src/lib/data/report-data.ts';
import { type Child, grouped, h } from './dom.ts';

/** Returns the address of a question within the page. */
export function questionAddress(text: string): string {
  return `#q=${encodeURIComponent(text)}`;
}

/** Returns the question that the address of the page asks; `undefined` if it asks none. */
export function questionIn(hash: string): string | undefined {
  if (!hash.startsWith('#q=')) return undefined;
  try {
    return decodeURIComponent(hash.slice(3));
  } catch {
    return hash.slice(3);
  }
}

/** Returns a link to the answer for a target, with its kind in a quieter colour. */
export function targetLink(report: Report, id: NodeId, text?: string): HTMLAnchorElement {
  const { label, kind } = report.node(id);
  const name = label.slice(kind.length + 1);
  const shown: Child = text ?? [h('span', { class: 'kind' }, kind), ' ', name];
  return h('a', { href: questionAddress(label), class: 'target' }, shown);
}

export function policyLink(report: Report, id: PolicyId, withKind = false): HTMLAnchorElement {
  const { label, name, kind } = report.policy(id);
  const shown: Child = withKind ? [h('span', { class: 'kind' }, kind), ' ', name] : name;
  return h('a', { href: questionAddress(label), class: 'policy' }, shown);
}

/** Returns links to the first of some targets, with a button that counts and shows the others. */
export function someTargets(report: Report, ids: readonly NodeId[], most = 6): Child {
  const links = ids.slice(0, most).map((id) => h('li', {}, targetLink(report, id)));
  const list = h('ul', { class: 'targets' }, links);
  const rest = ids.slice(most);
  if (rest.length === 0) return list;
  const more = h('button', { type: 'button', class: 'more' }, `and ${grouped(rest.length)} more`);
  const item = h('li', {}, more);
  list.append(item);
  more.addEventListener('click', () => item.replaceWith(...rest.map((id) => h('li', {}, targetLink(report, id)))));
  return list;
}
