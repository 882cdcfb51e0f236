import type { PolicyOutcome } from '@policy-machinery/conditions';
import type { Loss, PolicyShare } from '@policy-machinery/effective-policy';
import type { Rival } from '@policy-machinery/effective-policy/inner';
import { describeHolders, describeRule, describeStrategy, rivalsIn } from '@policy-machinery/effective-policy/inner';
import type { Policy } from '@policy-machinery/policy-kind';
import { groupedBy } from '@policy-machinery/resource/inner';

/** Longer lists do not help readers, and change whenever something far away does. */
const mostNamed = 5;

/** The parts of shares that a message describes. */
type Said = Pick<PolicyShare<unknown>, 'losses' | 'issues'>;

/** Returns the name of a policy in a message, from `namespace/name`. Policies with one name are described together. */
export type NameOf = (policy: Policy<unknown>) => string;

/**
 * Describes the outcome of a policy in some of its scopes: the winners, their fields, and the strategy. The message
 * contains neither counts nor scopes, so it changes only when its meaning does.
 *
 * @param shares The shares of the policy in the scopes.
 * @param nameOf Names other policies. Default: as `namespace/name`.
 * @returns One or more sentences.
 */
export function scopesMessage(outcome: PolicyOutcome, shares: Iterable<Said>, nameOf?: NameOf): string {
  const rivals = outcome === 'enforced' ? [] : firstRivals(shares, mostNamed + 1, nameOf);
  const named = rivals.slice(0, mostNamed).map((rival) => sentence(rival, outcome, rivals.length === 1, nameOf));
  const more = rivals.length > mostNamed ? ['Others prevail too.'] : [];
  return [openings[outcome] ?? 'The policy is valid.', ...together(named), ...more, ...faultsIn(shares)].join(' ');
}

/** A sentence; without the policy that is its subject, with the verb as for several, if other policies can share it. */
interface Sentence {
  readonly name?: string;
  readonly text: string;
}

/** Any policy, in keys of sentences that policies share. */
const aPolicy = '*';

/** Returns sentences with those about policies together that differ only in the policy, each once. */
function together(sentences: readonly Sentence[]): readonly string[] {
  const groups = groupedBy(sentences, ({ name, text }) => (name === undefined ? text : `${aPolicy} ${text}`));
  return Array.from(groups, ([key, group]) => {
    const [{ text }] = group;
    const names = [...new Set(group.flatMap(({ name }) => name ?? []))];
    if (names.length === 0) return key;
    const last = names.pop();
    return names.length === 0 ? `${last} ${text.replace(' ', 's ')}` : `${names.join(', ')} and ${last} ${text}`;
  });
}

const openings: Readonly<Partial<Record<PolicyOutcome, string>>> = {
  enforced: 'In force in all scopes.',
  'partly-enforced': 'In force in part.',
  overridden: 'Overridden in all scopes.',
  conflicted: 'Conflicts with another policy.',
  undecided: 'Not known in all scopes.',
};

/** Returns the parts of the policy that could not be applied, without duplicates. */
function faultsIn(shares: Iterable<Said>): readonly string[] {
  const texts = new Set<string>();
  for (const { issues } of shares) for (const { pointer = '', message } of issues) texts.add(`${pointer}: ${message}.`);
  return [...texts].sort().slice(0, mostNamed);
}

/** The occurrences of one rival that prevails in one way. */
type Everywhere = [Rival<unknown>, ...Rival<unknown>[]];

/** Returns the first `most` rivals by name, then by how they prevail: of hundreds, few are named. */
function firstRivals(shares: Iterable<Said>, most: number, nameOf?: NameOf): readonly Everywhere[] {
  const first: Everywhere[] = [];
  for (const { losses } of shares) {
    for (const rivalFound of rivalsIn(losses)) {
      const isRenamed = nameOf !== undefined && rivalFound.kind === 'another';
      const rival = isRenamed ? { ...rivalFound, name: nameOf(rivalFound.layer.policy) } : rivalFound;
      const last = first[most - 1];
      if (last !== undefined && rival.name > last[0].name) continue;
      const place = first.findIndex(([other]) => compare(rival, other) <= 0);
      const occurrences = first[place];
      if (occurrences !== undefined && compare(rival, occurrences[0]) === 0) occurrences.push(rival);
      else first.splice(place < 0 ? first.length : place, 0, [rival]);
      if (first.length > most) first.pop();
    }
  }
  return first;
}

/** Compares rivals by name; winners with one name are distinct if their sentences differ. */
function compare(a: Rival<unknown>, b: Rival<unknown>): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  const [way, other] = [wayOf(a), wayOf(b)];
  return way === other ? 0 : way < other ? -1 : 1;
}

/** Returns a key for how a rival prevails. */
function wayOf(rival: Rival<unknown>): string {
  const { kind, layer, loss } = rival;
  const strategy = describeStrategy(loss);
  if (kind === 'condition') return '';
  const way = `${strategy} ${reasonOf(rival) ?? ''}`;
  if (kind === 'itself') return `${layer.stanza} ${way}`;
  return strategy === 'None' && kind === 'another' ? `${loss.rule} ${way}` : way;
}

/** Returns why a rival prevails, in the system's words; the rule, if not even its strategy has a name. */
function reasonOf({ kind, loss }: Rival<unknown>): string | undefined {
  const isNamed = describeStrategy(loss) !== 'Custom' || loss.because !== undefined;
  return isNamed || kind !== 'another' ? loss.because : `it ${describeRule(loss.rule)}`;
}

function sentence(rivals: Everywhere, outcome: PolicyOutcome, isOnly: boolean, nameOf?: NameOf): Sentence {
  const [{ kind, name, layer, loss }] = rivals;
  const strategy = describeStrategy(loss);
  const losses = rivals.map((rival) => rival.loss);
  if (kind === 'condition') return { text: conditionSentence(outcome, isOnly) };
  const because = reasonOf(rivals[0]);
  const reason = because === undefined ? '' : `, because ${because}`;
  const holders = describeHolders(losses, nameOf && (({ policy }) => nameOf(policy)));
  const prevails = `${at(losses)}${reason} (${strategy})${holders}`;
  if (kind === 'itself') return { text: `Its own ${layer.stanza} prevail ${prevails}.` };
  if (kind === 'target' && outcome === 'undecided') {
    const where = losses.some(({ pointer }) => pointer === '') ? '' : ` ${at(losses)}`;
    return { text: `Whether values set by targets prevail${where} is not known.` };
  }
  if (kind === 'target') return { text: `Values set by targets prevail ${prevails}.` };
  if (loss.rule === 'age-not-known') {
    const where = strategy === 'None' ? '' : ` ${at(losses)}`;
    const and = loss.because === undefined ? '' : `, and ${loss.because}`;
    const text = `${name} prevails${where}, or this policy does: the older one decides, and the ages are not known${and} (${strategy}).`;
    return { text };
  }
  if (strategy === 'None') {
    const and = loss.because === undefined ? '' : `, and ${loss.because}`;
    return { text: `${name} stays: it ${describeRule(loss.rule)}${and} (None).` };
  }
  const [what, ...others] = new Set(losses.filter(({ pointer }) => pointer === '').map(replaced));
  const text =
    what === undefined
      ? `prevail ${prevails}.`
      : `replace ${others.length > 0 ? 'it' : what}${reason} (${strategy})${holders}.`;
  const isShared = because?.startsWith('it ') !== true; // A reason about one policy does not suit several.
  return isShared ? { name, text } : { text: `${name} ${text.replace(' ', 's ')}` };
}

/** Describes a condition that does not hold; a policy that is overridden in all scopes is in force in none. */
function conditionSentence(outcome: PolicyOutcome, isOnly: boolean): string {
  if (outcome !== 'overridden') return 'Its condition does not hold in some scopes.';
  return isOnly ? 'Its condition does not hold.' : 'Its condition does not always hold.';
}

/** Returns the name of the loser in the message: the policy, or a stanza if the policy has several. */
function replaced({ layer }: Loss<unknown>): string {
  return layer.policy.layers.length > 1 ? `its ${layer.stanza}` : 'it';
}

/** Returns the fields of losses in words: `at /a, /b`. */
function at(losses: readonly Loss<unknown>[]): string {
  const pointers = new Set(losses.map(({ pointer }) => pointer));
  if (pointers.has('')) return 'everywhere';
  const named = [...pointers].sort();
  return `at ${named.slice(0, mostNamed).join(', ')}${named.length > mostNamed ? ' and others' : ''}`;
}
