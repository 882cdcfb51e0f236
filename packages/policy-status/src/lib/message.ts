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
  const rivals = outcome === 'enforced' ? [] : firstRivals(scopes, mostNamed + 1);
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
  const all = new Set<string>();
  for (const { issues } of scopes) for (const { pointer = '', message } of issues) all.add(`${pointer}: ${message}.`);
  return [...all].sort().slice(0, mostNamed);
}

/** Who or what prevails over the policy in some way, at one place. */
interface Rival {
  readonly name: string;
  readonly way: string;
  /** `undefined` for a condition that does not hold. */
  readonly winner: Winner | undefined;
  readonly loss: Loss<unknown>;
}

type Winner = Loss<unknown>['to'][number];

const nobody: readonly undefined[] = [undefined];

const known = new WeakMap<Said['losses'], readonly Rival[]>();

/** Who has what was lost. Most of a policy's scopes are the same in one plan and the next. */
function rivalsIn(losses: Said['losses']): readonly Rival[] {
  const there = known.get(losses);
  if (there !== undefined) return there;
  const rivals: Rival[] = [];
  for (const loss of losses) {
    const winners = loss.rule === 'condition-not-met' ? nobody : loss.to;
    for (const winner of winners) {
      const [name, way] = winner === undefined ? ['', ''] : [nameOf(winner, loss), wayOf(winner, loss)];
      rivals.push({ name, way, winner, loss });
    }
  }
  known.set(losses, rivals);
  return rivals;
}

/** One that prevails in one way, wherever it does. */
type Everywhere = [Rival, ...Rival[]];

/** The first so many by name, then by the way in which they prevail: of hundreds few are named. */
function firstRivals(scopes: readonly Said[], most: number): readonly Everywhere[] {
  const first: Everywhere[] = [];
  for (const { losses } of scopes) {
    if (losses.length === 0) continue;
    for (const rival of rivalsIn(losses)) {
      const { name, way } = rival;
      const last = first[most - 1];
      if (last !== undefined && name > last[0].name) continue;
      const place = first.findIndex(([it]) => name < it.name || (name === it.name && way <= it.way));
      const there = first[place];
      if (there?.[0].name === name && there[0].way === way) there.push(rival);
      else first.splice(place < 0 ? first.length : place, 0, [rival]);
      if (first.length > most) first.pop();
    }
  }
  return first;
}

/** The name of another policy; `''` for the policy itself, and for what targets say themselves. */
function nameOf(winner: Winner, { layer }: Loss<unknown>): string {
  const { policy } = winner;
  return policy === layer.policy || isOwn(winner) ? '' : policy.name;
}

/** Tells apart winners of one name of whom something else is to be said. */
function wayOf(winner: Winner, { layer, strategy, rule }: Loss<unknown>): string {
  if (winner.policy === layer.policy) return `${winner.stanza} ${strategy}`;
  return strategy === 'None' && !isOwn(winner) ? rule : strategy;
}

/** Whether it is what a target says itself. */
function isOwn({ policy, level }: Winner): boolean {
  return policy.resource === level.resource;
}

function sentence(rivals: Everywhere): string {
  const [{ winner, loss }] = rivals;
  const { layer, strategy, rule } = loss;
  const losses = rivals.map((rival) => rival.loss);
  if (winner === undefined) return 'Its condition does not hold in some scopes.';
  const { policy, stanza } = winner;
  const { name } = policy;
  const prevails = `${at(losses)} (${strategy})`;
  if (policy === layer.policy) return `Its own ${stanza} prevail ${prevails}.`;
  if (isOwn(winner)) return `What targets say themselves prevails ${prevails}.`;
  if (strategy === 'None') return `${name} stays: it ${describeRule(rule)} (None).`;
  const [place, ...others] = new Set(losses.filter(({ pointer }) => pointer === '').map(placeTaken));
  if (place === undefined) return `${name} prevails ${prevails}.`;
  return `${name} takes ${others.length > 0 ? 'its place' : place} (${strategy}).`;
}

/** What a winner took the place of, where that is all that the policy had there. */
function placeTaken({ layer }: Loss<unknown>): string {
  return layer.policy.layers.length > 1 ? `the place of its ${layer.stanza}` : 'its place';
}

/** `at /a, /b`. */
function at(losses: readonly Loss<unknown>[]): string {
  const pointers = new Set(losses.map(({ pointer }) => pointer));
  if (pointers.has('')) return 'everywhere';
  const named = [...pointers].sort();
  return `at ${named.slice(0, mostNamed).join(', ')}${named.length > mostNamed ? ' and others' : ''}`;
}
