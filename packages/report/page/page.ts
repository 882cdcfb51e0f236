import { OnTheWay } from '../src/lib/answers/on-the-way.ts';
import { type GroupedBy, Protection } from '../src/lib/answers/protection.ts';
import { Questions } from '../src/lib/answers/question.ts';
import { Requests } from '../src/lib/answers/request-answer.ts';
import { Suggestions } from '../src/lib/answers/suggestions.ts';
import type { Report } from '../src/lib/data/report.ts';
import type { ReportData } from '../src/lib/data/report-data.ts';

/** The choices of the user. */
export interface Chosen {
  filter: number;
  /** The drawing, by its label; `undefined` for the first choice. */
  drawn: string | undefined;
  /** The cards that are open in a drawing, by the targets that it is about. */
  readonly open: Map<string, Set<string>>;
  /** The tables that show all of their rows. */
  readonly long: Set<string>;
  /** The place of the concern that colors the routes. */
  concern: number;
  /** How the routes are grouped, and a part of the names of those that are listed. */
  groupedBy: GroupedBy;
  wanted: string;
  /** The groups of routes that are open, or closed. */
  readonly groups: Map<string, boolean>;
}

export function chosenAtFirst(): Chosen {
  const tables = { filter: 0, drawn: undefined, open: new Map(), long: new Set<string>() };
  return { ...tables, concern: 0, groupedBy: 'Namespace', wanted: '', groups: new Map() };
}

/** The state that the parts of the page share. Indexes are built when they are first used. */
export class Page {
  readonly report: Report;
  /** The choices of the user, which stay when the data changes. */
  readonly chosen: Chosen;
  #questions: Questions | undefined;
  #suggestions: Suggestions | undefined;
  #requests: Requests | undefined;
  #onTheWay: OnTheWay | undefined;
  #protection: Protection | undefined;

  /** @param previousPage The page before a change: parts that depend on names alone stay unchanged, if these do. */
  constructor(report: Report, chosen: Chosen, previousPage?: Page) {
    this.report = report;
    this.chosen = chosen;
    if (previousPage === undefined || !haveSameNames(previousPage.report.data, report.data)) return;
    this.#questions = previousPage.#questions;
    this.#suggestions = previousPage.#suggestions;
  }

  get questions(): Questions {
    this.#questions ??= new Questions(this.report);
    return this.#questions;
  }

  get suggestions(): Suggestions {
    this.#suggestions ??= new Suggestions(this.report);
    return this.#suggestions;
  }

  get requests(): Requests {
    this.#requests ??= new Requests(this.report);
    return this.#requests;
  }

  get protection(): Protection {
    this.#protection ??= new Protection(this.report);
    return this.#protection;
  }

  get onTheWay(): OnTheWay {
    this.#onTheWay ??= new OnTheWay(this.report);
    return this.#onTheWay;
  }

  kindOf(view: number): string {
    return this.report.text(this.report.data.views[view]?.kind ?? 0);
  }
}

/** Returns whether two versions of the data have the same targets and policies by the same numbers. */
function haveSameNames(previousData: ReportData, currentData: ReportData): boolean {
  const names = ({ policies }: ReportData) => JSON.stringify(policies.map((row) => row?.slice(0, 3)));
  return previousData.targets === currentData.targets && names(previousData) === names(currentData);
}
