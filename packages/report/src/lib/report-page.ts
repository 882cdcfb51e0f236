import { gzipSync } from 'node:zlib';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { type Issue, printable } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import { collect } from './data/collect.ts';
import { htmlOf, type PageData } from './html.ts';

/** What a page is about. */
export interface ReportOptions {
  /** The topology. */
  readonly topology: Topology;
  /**
   * The effective policies of some kinds in that topology. Policies of other kinds are shown at their targets, and the page says that it is not
   * known how they are merged.
   */
  readonly views: readonly EffectivePolicies<unknown>[];
  /** What is wrong, such as issues with their positions in files. Default: the issues of the topology and of the effective policies. */
  readonly issues?: readonly Issue[];
  /** The title. Default: `Policies`. */
  readonly title?: string;
  /** When the page is made. Default: now. */
  readonly now?: Date;
}

/** JSON up to this length stays readable in the page; more is compressed. */
const readable = 150_000;

/**
 * Makes one HTML page that says what applies where: it answers questions for targets, policies and requests, and draws the topology. The page holds
 * its script, its style and its data, and loads nothing.
 *
 * Names and values of resources are shown as text, never as markup.
 *
 * @param options What the page is about.
 * @returns The document; the same for the same resources and time. O(contexts, and for each target those below it).
 * @throws {TypeError} If a view is of another topology.
 * @example
 * ```ts
 * writeFileSync('report.html', reportPage({ topology, views: [effectivePolicies(topology, TimeoutPolicy)] }));
 * ```
 */
export function reportPage({ topology, views, issues, title = 'Policies', now = new Date() }: ReportOptions): string {
  for (const view of views) {
    if (view.topology !== topology)
      throw new TypeError('The effective policies are of another topology; give views of `topology`');
  }
  const found = issues ?? [...topology.issues, ...views.flatMap((view) => view.issues)];
  const shown = printable(title);
  return htmlOf(shown, pageData(JSON.stringify(collect({ topology, views, issues: found, title: shown, now }))));
}

function pageData(json: string): PageData {
  if (json.length <= readable) return { type: 'application/json', text: json.replaceAll('<', '\\u003c') };
  return { type: 'application/gzip', text: gzipSync(json, { level: 9 }).toString('base64') };
}
