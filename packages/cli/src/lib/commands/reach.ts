import { describeLoss } from '@policy-machinery/effective-policy';
import { rivalsIn } from '@policy-machinery/effective-policy/inner';
import { formatRef, formatTarget, type TargetNode } from '@policy-machinery/topology';
import { hasStanzas, pathsOf } from '../answers/fields.ts';
import { isInScope, scopeText } from '../answers/in-scope.ts';
import type { PolicyState } from '../answers/policy-state.ts';
import { outcomeCell } from '../answers/tones.ts';
import { outcomesWithoutRequests, reachedStates } from '../answers/unreached.ts';
import { firstRows } from '../changes/one-screen.ts';
import type { Answer, Block } from '../model/answer.ts';
import type { Request } from '../model/command.ts';
import type { StateOutcome } from '../model/state-outcome.ts';
import { type ColumnOf, tableOf } from '../model/table-of.ts';
import { UsageError } from '../model/usage-error.ts';
import type { PolicyView, World } from '../model/world.ts';
import { findPolicy } from '../names/find.ts';

/** Answers where a policy has effect, and its losses in each place. */
export function answer(world: World, { args, colors }: Request): Answer {
  const { item: policy, rest } = findPolicy(world, args);
  if (rest.length > 0) throw new UsageError(`"${rest.join(' ')}" is not used after the policy; leave it out`);
  const view = world.views.find(({ effective }) => effective.policy(policy.locator) !== undefined);
  const [state] = view === undefined ? [] : reachedStates(world, [view], new Set([policy.locator]));
  if (view === undefined || state === undefined) throw new UsageError(`${policy.locator} cannot be read as a policy`);
  const scopes = scopesOf(world, view, state);
  return {
    document: {
      kind: 'Reach',
      ...documentOf(state),
      scopes: scopes.map(({ target, ...scope }) => ({ target: target.ref, ...scope })),
    },
    sections: [
      { heading: formatRef(state.ref), blocks: [{ lines: [outcomeLine(state)] }] },
      { blocks: scopes.length > 0 ? [{ table: tableOf(scopes, columnsOf(colors)) }] : [] },
    ],
    onTerminal: [
      { heading: formatRef(state.ref), blocks: [{ lines: [outcomeLine(state)] }] },
      { blocks: scopes.length > 0 ? lossesFirst(scopes, colors) : [] },
    ],
    names: scopes.map(({ target }) => target.locator.replace(':', '/')),
    notes: scopes.length > 0 || isOpen(state) ? [] : [`The policy does not affect anything${scopeText(world.scope)}.`],
  };
}

/** The effect of a policy on a target, for some paths. */
interface Scope {
  readonly target: TargetNode;
  readonly through: readonly string[];
  readonly outcome: StateOutcome;
  readonly losses: readonly { readonly pointer: string; readonly reason: string; readonly to: readonly string[] }[];
  readonly issues: readonly string[];
}

function scopesOf(world: World, view: PolicyView, { policy }: PolicyState): readonly Scope[] {
  const stanzas = hasStanzas(view);
  const isMerged = view.found.merging === 'known';
  const withoutRequests = outcomesWithoutRequests(world);
  return view.effective
    .reach(policy.locator)
    .filter(({ effective }) => isInScope(world.scope, effective.target.ref.namespace))
    .map(({ effective, outcome, losses, issues }) => ({
      target: effective.target,
      through: pathsOf(effective),
      outcome: withoutRequests(effective.target, isMerged ? outcome : 'not-merged'),
      losses: losses.map((loss) => ({
        pointer: loss.pointer,
        reason: describeLoss(loss, { stanzas }),
        to: winnersOf(loss),
      })),
      issues: issues.map(({ message }) => message),
    }));
}

/** How many rows a terminal shows; the others are summed up. */
const mostRows = 24;

/** Returns the places where the policy lost something, and then the others. */
function lossesFirst(scopes: readonly Scope[], colors: Request['colors']): readonly Block[] {
  const isLoss = ({ outcome, losses }: Scope) => losses.length > 0 || outcome !== 'enforced';
  const sorted = [...scopes.filter(isLoss), ...scopes.filter((scope) => !isLoss(scope))];
  const blockOf = (shown: readonly Scope[]): Block => ({ table: tableOf(shown, columnsOf(colors)) });
  return firstRows(sorted, mostRows, ({ target }) => target.ref, blockOf);
}

function columnsOf(colors: Request['colors']): readonly ColumnOf<Scope>[] {
  return [
    { name: 'TARGET', cell: ({ target }) => formatTarget(target) },
    { name: 'THROUGH', isOptional: true, cell: ({ through }) => through.join(', ') },
    { name: 'OUTCOME', cell: ({ outcome }) => outcomeCell(outcome, colors) },
    {
      name: 'LOST',
      cell: ({ losses }) => [...new Set(losses.map(({ pointer }) => pointer || 'everything'))].join(', '),
    },
    {
      name: 'REASON',
      isWide: true,
      cell: ({ losses, issues }) =>
        [...losses.map(({ pointer, reason }) => `${pointer === '' ? '' : `${pointer}: `}${reason}`), ...issues].join(
          '; ',
        ),
    },
  ];
}

function winnersOf(loss: Parameters<typeof rivalsIn>[0][number]): readonly string[] {
  return [...new Set(rivalsIn([loss]).map(({ name, kind }) => (kind === 'another' ? name : kind)))];
}

/** Returns whether the effect of a policy is not known. */
function isOpen({ outcome }: PolicyState): boolean {
  return outcome === 'undecided' || outcome === 'not-rendered';
}

function outcomeLine({ outcome, message }: PolicyState): string {
  return `${outcome}: ${message}`;
}

function documentOf({ ref, outcome, message, policy: { attachments } }: PolicyState): object {
  return {
    policy: ref,
    outcome,
    message,
    attachments: attachments.map(({ outcome, target, via, message, declared }) => ({
      outcome,
      via,
      pointer: declared.pointer,
      ...(target === undefined ? {} : { target: target.ref }),
      ...(message === undefined ? {} : { message }),
    })),
  };
}
