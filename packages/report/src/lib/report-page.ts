import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { Verdict } from '@policy-machinery/guarantees';
import { type Issue, printable } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import { gzipSync, strFromU8, strToU8 } from 'fflate';
import { type Around, collect, type ReportOutcome } from './data/collect.ts';
import type { SecretsOf } from './data/collection.ts';
import type { ReportCoverage } from './data/coverage-rows.ts';
import { htmlOf, type PageData } from './html.ts';

/** The content of a page. */
export interface ReportOptions {
  /** The topology. */
  readonly topology: Topology;
  /**
   * The effective policies of some kinds in that topology. Policies of other kinds are shown at their targets, with the outcome _Merging not
   * known_.
   */
  readonly views: readonly EffectivePolicies<unknown>[];
  /**
   * Returns the fields of a kind with values that must not be shown, which the page masks; `undefined` if their names decide. Default: those that the kind
   * marks.
   */
  readonly secretsOf?: SecretsOf | undefined;
  /** The issues to show, such as those with positions in files. Default: the issues of the topology and of the effective policies. */
  readonly issues?: readonly Issue[] | undefined;
  /** Returns the address that explains a code of an issue; `undefined` if there is none. Default: there are none. */
  readonly pageOfCode?: ((code: string) => string | undefined) | undefined;
  /** The title. Default: `Policies`. */
  readonly title?: string | undefined;
  /** The only namespace with policies that are listed; answers are about any. Default: all are listed. */
  readonly namespace?: string | undefined;
  /** The answers about guarantees: the result of `verify` in that topology. Default: none, and the page does not mention them. */
  readonly verdicts?: readonly Verdict[] | undefined;
  /** The outcomes of some policies, by their locators, in place of the computed ones: of policies without effect on any request. Default: none. */
  readonly outcomes?: ReadonlyMap<string, ReportOutcome> | undefined;
  /** Which requests are protected: the first screen of the page. Default: the page does not mention it. */
  readonly coverage?: ReportCoverage | undefined;
  /** Sentences for its head: the source of the resources, and unreadable parts. Default: none. */
  readonly notes?: readonly string[] | undefined;
  /** The time where the page is created. Default: now. */
  readonly now?: Date | undefined;
}

/** JSON up to this length, in characters, stays readable in the page. Longer data is compressed. */
const readable = 150_000;

/**
 * Returns one HTML page with the effective policies: the page answers questions about targets, policies and requests, and draws the topology. It
 * contains its script, its style and its data, and loads nothing.
 *
 * Names and values of resources are shown as text, never as markup.
 *
 * @param options The content of the page.
 * @returns The document, which depends on the resources and the time alone. O(contexts, and for each target those below it).
 * @throws {TypeError} If a view is of another topology.
 * @example
 * ```ts
 * writeFileSync('report.html', reportPage({ topology, views: [effectivePolicies(topology, TimeoutPolicy)] }));
 * ```
 */
export function reportPage(options: ReportOptions): string {
  return htmlOf(shownTitle(options), pageData(reportData(options)));
}

/**
 * Returns a page that is served: it reads the data of a {@link LiveReport} from the address `data` beside its own, and follows a stream of events at
 * the address `events`. An event `patch` has the data of {@link LiveReport.update}. An event `change` has a version as its data: a page with another
 * version reads everything again. The version of a response is in its header `etag`.
 *
 * @returns The document, which loads nothing else.
 */
export function livePage(options: Pick<ReportOptions, 'title'> = {}): string {
  return htmlOf(shownTitle(options));
}

/**
 * Returns the data of a page that is served.
 *
 * @param options The content of the page.
 * @returns JSON, in a form that belongs to {@link livePage} of the same version of this package.
 * @throws {TypeError} If a view is of another topology.
 */
export function reportData(options: ReportOptions): string {
  const { topology, views, secretsOf } = options;
  checkViews(options);
  return JSON.stringify(collect({ topology, views, secretsOf, ...aroundOf(options) }));
}

/** Refuses views of another topology. */
export function checkViews({ topology, views }: Pick<ReportOptions, 'topology' | 'views'>): void {
  for (const view of views) {
    if (view.topology !== topology)
      throw new TypeError('The effective policies are of another topology; give views of `topology`');
  }
}

/** Returns the content of a page that does not follow from its topology, with the defaults. */
export function aroundOf(options: ReportOptions): Around {
  const {
    topology,
    views,
    issues,
    pageOfCode = () => undefined,
    namespace,
    notes = [],
    verdicts = [],
    coverage,
    outcomes,
    now = new Date(),
  } = options;
  const allIssues = issues ?? [...topology.issues, ...views.flatMap((view) => view.issues)];
  const ownOptions = {
    issues: allIssues,
    pageOfCode,
    title: shownTitle(options),
    namespace,
    notes: notes.map(printable),
    verdicts,
    coverage,
  };
  return { ...ownOptions, outcomes, now };
}

function shownTitle({ title = 'Policies' }: Pick<ReportOptions, 'title'>): string {
  return printable(title);
}

function pageData(json: string): PageData {
  if (json.length <= readable) return { type: 'application/json', text: json.replaceAll('<', '\\u003c') };
  const bytes = gzipSync(strToU8(json), { level: 9, mtime: 0 });
  return { type: 'application/gzip', text: btoa(strFromU8(bytes, true)) };
}
