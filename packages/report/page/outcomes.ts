import type { Report } from '../src/lib/data/report.ts';
import { type Child, h } from './dom.ts';

/** How an outcome is shown: its name and its tone. */
interface Shown {
  readonly name: string;
  readonly tone: 'good' | 'part' | 'lost' | 'bad';
}

const outcomes: Readonly<Record<string, Shown>> = {
  enforced: { name: 'Enforced', tone: 'good' },
  'partly-enforced': { name: 'Partly enforced', tone: 'part' },
  overridden: { name: 'Overridden', tone: 'lost' },
  conflicted: { name: 'Conflicted', tone: 'bad' },
  invalid: { name: 'Invalid', tone: 'bad' },
  'target-not-found': { name: 'Target not found', tone: 'bad' },
  'section-not-found': { name: 'Section not found', tone: 'bad' },
  'reference-not-permitted': { name: 'Reference not permitted', tone: 'bad' },
  'not-in-any-path': { name: 'Not in any path', tone: 'lost' },
  pending: { name: 'Pending', tone: 'part' },
  'no-requests': { name: 'No requests', tone: 'lost' },
  undecided: { name: 'Undecided', tone: 'part' },
  'not-merged': { name: 'Merging not known', tone: 'part' },
  'not-rendered': { name: 'Not rendered', tone: 'part' },
};

export function shownOutcome(outcome: string): Shown {
  return outcomes[outcome] ?? { name: outcome, tone: 'part' };
}

/** Returns a label with the outcome of a policy. */
export function outcomeBadge(outcome: string): Child {
  const { name, tone } = shownOutcome(outcome);
  return h('span', { class: `outcome ${tone}` }, name);
}

/** Returns the end of a sentence about policies that are not there: some may be, if policies are undecided. */
export function asFarAsDecided({ policies }: Report): string {
  const isOpen = policies.some(({ outcome }) => outcome === 'undecided' || outcome === 'not-rendered');
  return isOpen ? ', as far as policies are decided' : '';
}
