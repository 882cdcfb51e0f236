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

/** Who or what prevails over the policy in some way. */
interface Rival {
  /** `undefined` for a condition that does not hold. */
  readonly winner: Winner | undefined;
  readonly way: string;
  /** One of the losses to it. */
  readonly loss: Loss<unknown>;
  /** All of them. */
  readonly losses: Loss<unknown>[];
}

type Winner = Loss<unknown>['to'][number];

const nobody: readonly undefined[] = [undefined];

/** By name, then by the way in which they prevail. */
function rivalsIn(scopes: readonly Said[]): readonly Rival[] {
  const byName = new Map<string, Rival[]>();
  for (const { losses } of scopes) {
    for (const loss of losses) {
      for (const winner of loss.rule === 'condition-not-met' ? nobody : loss.to) {
        const name = winner === undefined ? '' : nameOf(winner, loss);
        const way = winner === undefined ? '' : wayOf(winner, loss);
        const alike = byName.get(name);
        const rival = alike?.find((it) => it.way === way);
        if (rival !== undefined) rival.losses.push(loss);
        else if (alike !== undefined) alike.push({ winner, way, loss, losses: [loss] });
        else byName.set(name, [{ winner, way, loss, losses: [loss] }]);
      }
    }
  }
  const keyed = [...byName].flatMap(([name, alike]) => alike.map((rival) => [`${name} ${rival.way}`, rival] as const));
  return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rival]) => rival);
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

function sentence({ winner, loss: { layer, strategy, rule }, losses }: Rival): string {
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
