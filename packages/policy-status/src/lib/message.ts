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
  readonly says: (fields: Fields) => string;
  readonly pointers: Set<string>;
  readonly stanzas: Set<string>;
}

/** The fields that were lost. */
interface Fields {
  /** `at /a, /b`. */
  readonly at: string;
  /** `its place`, or, of one stanza of several, `the place of its defaults`; `undefined` unless all of it was lost. */
  readonly place: string | undefined;
}

function rivalsIn(scopes: readonly Said[]): readonly Rival[] {
  const rivals = new Map<string, Rival>();
  for (const { losses } of scopes) {
    for (const { key, says, pointer, stanza } of winsIn(losses)) {
      const rival = rivals.get(key) ?? { says, pointers: new Set(), stanzas: new Set() };
      rivals.set(key, rival);
      rival.pointers.add(pointer);
      if (stanza !== undefined) rival.stanzas.add(stanza);
    }
  }
  return [...rivals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rival]) => rival);
}

/** One winner over a loss. */
interface Win {
  readonly key: string;
  readonly says: Rival['says'];
  readonly pointer: string;
  /** What the winner took the place of, if that is all that the policy had there. */
  readonly stanza: string | undefined;
}

/** What has been worked out of losses: policies keep theirs for as long as nothing changes. */
const known = new WeakMap<readonly Loss<unknown>[], readonly Win[]>();

function winsIn(losses: readonly Loss<unknown>[]): readonly Win[] {
  const wins = known.get(losses) ?? losses.flatMap(winsOver);
  known.set(losses, wins);
  return wins;
}

function winsOver(loss: Loss<unknown>): readonly Win[] {
  const { pointer, layer } = loss;
  const place = layer.policy.layers.length > 1 ? `the place of its ${layer.stanza}` : 'its place';
  const stanza = pointer === '' ? place : undefined;
  return whoIn(loss).map(([key, says]) => ({ key, says, pointer, stanza }));
}

type Who = readonly [key: string, says: Rival['says']];

/** Who has won. */
function whoIn({ layer, to, strategy, rule }: Loss<unknown>): readonly Who[] {
  if (rule === 'condition-not-met') return [['', () => 'Its condition does not hold in some scopes.']];
  return to.map(({ policy, level, stanza }): Who => {
    const { name } = policy;
    if (policy === layer.policy)
      return [` ${stanza} ${strategy}`, ({ at }) => `Its own ${stanza} prevail ${at} (${strategy}).`];
    if (policy.locator === level.target.locator) {
      return [` ${strategy}`, ({ at }) => `What targets say themselves prevails ${at} (${strategy}).`];
    }
    if (strategy === 'None') return [`${name} ${rule}`, () => `${name} stays: it ${describeRule(rule)} (None).`];
    return [
      `${name} ${strategy}`,
      ({ at, place }) => `${name} ${place === undefined ? `prevails ${at}` : `takes ${place}`} (${strategy}).`,
    ];
  });
}

function sentence({ says, pointers, stanzas }: Rival): string {
  const [place, ...others] = [...stanzas].sort();
  const named = [...pointers].filter((pointer) => pointer !== '').sort();
  const more = named.length > mostNamed ? ' and others' : '';
  return says({
    at: pointers.has('') ? 'everywhere' : `at ${named.slice(0, mostNamed).join(', ')}${more}`,
    place: others.length > 0 ? 'its place' : place,
  });
}
