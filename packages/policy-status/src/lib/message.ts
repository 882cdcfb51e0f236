import type { PolicyOutcome } from '@policy-machinery/conditions';
import { describeRule, type Loss, type PolicyScope } from '@policy-machinery/effective-policy';

/** Longer lists say nothing to people, and would change whenever something far away does. */
const mostNamed = 5;

/** What is said of a scope, or of several. */
type Said = Pick<PolicyScope<unknown>, 'losses' | 'issues'>;

/**
 * Says for people what became of a policy in some of its scopes: who prevails, at which fields, and by which strategy (S-05,
 * S-07). It counts nothing and names no scope, so that it changes only when what it says does.
 *
 * @param outcome What became of it.
 * @param scopes The scopes.
 * @returns One or more sentences.
 */
export function scopesMessage(outcome: PolicyOutcome, scopes: readonly Said[]): string {
  const rivals = outcome === 'enforced' ? [] : rivalsIn(scopes);
  const named = rivals.slice(0, mostNamed).map(sentence);
  const more = rivals.length > mostNamed ? ['So do others.'] : [];
  return [openings[outcome] ?? 'The policy is valid.', ...named, ...more, ...faultsIn(scopes)].join(' ');
}

const openings: Readonly<Partial<Record<PolicyOutcome, string>>> = {
  enforced: 'In force in all scopes.',
  'partly-enforced': 'In force in part.',
  overridden: 'Overridden in all scopes.',
  conflicted: 'In conflict with another policy.',
};

/** What of the policy could not be done, each once. */
function faultsIn(scopes: readonly Said[]): readonly string[] {
  const all = scopes.flatMap(({ issues }) => issues.map(({ pointer = '', message }) => `${pointer}: ${message}.`));
  return [...new Set(all)].sort().slice(0, mostNamed);
}

/** Who or what prevails over the policy, and at which fields. */
interface Rival {
  /** One of the losses to it. */
  readonly loss: Loss<unknown>;
  /** `undefined` for a condition that does not hold. */
  readonly winner: Winner | undefined;
  readonly pointers: Set<string>;
  /** What it took the place of, where that is all that the policy had there. */
  readonly places: Set<string>;
}

type Winner = Loss<unknown>['to'][number];

const nobody: readonly undefined[] = [undefined];

function rivalsIn(scopes: readonly Said[]): readonly Rival[] {
  const rivals = new Map<string, Rival>();
  for (const { losses } of scopes) {
    for (const loss of losses) {
      const { pointer, layer, to, rule } = loss;
      for (const winner of rule === 'condition-not-met' ? nobody : to) {
        const key = winner === undefined ? '' : keyOf(winner, loss);
        const rival = rivals.get(key) ?? { loss, winner, pointers: new Set(), places: new Set() };
        rivals.set(key, rival);
        rival.pointers.add(pointer);
        if (pointer !== '') continue;
        rival.places.add(layer.policy.layers.length > 1 ? `the place of its ${layer.stanza}` : 'its place');
      }
    }
  }
  return [...rivals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rival]) => rival);
}

/** Tells apart winners of whom something else is to be said. */
function keyOf({ policy, level, stanza }: Winner, { layer, strategy, rule }: Loss<unknown>): string {
  if (policy === layer.policy) return ` ${stanza} ${strategy}`;
  if (policy.locator === level.target.locator) return ` ${strategy}`;
  return `${policy.name} ${strategy === 'None' ? rule : strategy}`;
}

function sentence({ loss: { layer, strategy, rule }, winner, pointers, places }: Rival): string {
  if (winner === undefined) return 'Its condition does not hold in some scopes.';
  const { policy, level, stanza } = winner;
  const { name } = policy;
  const prevails = `${at(pointers)} (${strategy})`;
  if (policy === layer.policy) return `Its own ${stanza} prevail ${prevails}.`;
  if (policy.locator === level.target.locator) return `What targets say themselves prevails ${prevails}.`;
  if (strategy === 'None') return `${name} stays: it ${describeRule(rule)} (None).`;
  const [place, ...others] = places;
  if (place === undefined) return `${name} prevails ${prevails}.`;
  return `${name} takes ${others.length > 0 ? 'its place' : place} (${strategy}).`;
}

/** `at /a, /b`. */
function at(pointers: ReadonlySet<string>): string {
  if (pointers.has('')) return 'everywhere';
  const named = [...pointers].sort();
  return `at ${named.slice(0, mostNamed).join(', ')}${named.length > mostNamed ? ' and others' : ''}`;
}
