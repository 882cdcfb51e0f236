import type { IssueRow } from '../src/lib/data/report-data.ts';
import { type Child, h } from './dom.ts';
import type { Page } from './page.ts';

/** How many issues are shown at most. The section with everything that is wrong has all. */
const most = 5;

/**
 * Returns the issues of some targets as a list; nothing if they do not have any.
 *
 * @param isAbout Returns whether an issue is about them, by its target and its message.
 */
export function issuesAbout({ report }: Page, isAbout: (node: IssueRow[4], message: string) => boolean): Child {
  const issues = report.data.issues.filter(([, message, , , node]) => node >= 0 && isAbout(node, report.text(message)));
  return issues.slice(0, most).map(([severity, message, , , node]) => {
    const level = report.text(severity);
    const badge = h('span', { class: `outcome ${level === 'error' ? 'bad' : 'part'}` }, level);
    return h('p', { class: 'issue' }, badge, ` ${report.node(node).label}: ${report.text(message)}`);
  });
}
