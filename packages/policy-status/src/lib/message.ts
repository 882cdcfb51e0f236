import type { PolicyOutcome } from '@policy-machinery/conditions';
import { describeRule, type Loss, type PolicyScope } from '@policy-machinery/effective-policy';
import type { StrategyName } from '@policy-machinery/merge';

/** Longer lists say nothing to people, and would change whenever something far away does. */
const mostNamed = 5;

/**
 * Says for people what became of a policy in some of its scopes: who took its place, in which fields, and by which strategy
 * (S-05, S-07). It counts nothing, so that it changes only when what it says does.
 *
 * @param outcome What became of it.
 * @param scopes The scopes.
 * @returns One or more sentences.
 */
export function scopesMessage(outcome: PolicyOutcome, scopes: readonly PolicyScope<unknown>[]): string {
  const takers = takersIn(scopes.flatMap(({ losses }) => losses));
  const named = takers.slice(0, mostNamed).map(sentence);
  const more = takers.length > mostNamed ? ['Others take its place, too.'] : [];
  return [openings[outcome] ?? 'The policy is valid.', ...named, ...more].join(' ');
}

const openings: Readonly<Partial<Record<PolicyOutcome, string>>> = {
  enforced: 'In force in all scopes.',
  'partly-enforced': 'In force in part.',
  overridden: 'Overridden in all scopes.',
  conflicted: 'In conflict with another policy.',
};

/** Who took something from the policy, by which strategy, and what. */
interface Taker {
  readonly name: string;
  readonly strategy: StrategyName;
  readonly rule: Loss<unknown>['rule'];
  readonly pointers: Set<string>;
}

function takersIn(losses: readonly Loss<unknown>[]): readonly Taker[] {
  const takers = new Map<string, Taker>();
  for (const { to, strategy, rule, pointer } of losses) {
    const names = to.length === 0 || rule === 'condition-not-met' ? [''] : to.map(({ policy }) => policy.name);
    for (const name of names) {
      const key = `${name} ${strategy} ${rule === 'condition-not-met' ? rule : ''}`;
      const taker = takers.get(key) ?? { name, strategy, rule, pointers: new Set() };
      takers.set(key, taker);
      taker.pointers.add(pointer);
    }
  }
  return [...takers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, taker]) => taker);
}

function sentence({ name, strategy, rule, pointers }: Taker): string {
  const what = listed([...pointers].sort());
  if (rule === 'condition-not-met') return `Its condition does not hold for ${what} in some scopes.`;
  if (strategy === 'None') return `${name} keeps its place: it ${describeRule(rule)} (None).`;
  return `${name} sets ${what} instead (${strategy}).`;
}

function listed(pointers: readonly string[]): string {
  if (pointers.includes('')) return 'all of it';
  const more = pointers.length > mostNamed ? ' and others' : '';
  return pointers.slice(0, mostNamed).join(', ') + more;
}
