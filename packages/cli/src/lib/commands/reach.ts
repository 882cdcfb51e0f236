import { rivalsIn } from '@policy-machinery/effective-policy';
import { formatLoss } from '@policy-machinery/text';
import { formatRef, formatTarget } from '@policy-machinery/topology';
import { hasStanzas, pathsOf } from '../answers/fields.ts';
import { type PolicyState, policyStates } from '../answers/policy-state.ts';
import { outcomeCell } from '../answers/tones.ts';
import type { Answer } from '../frame/answer.ts';
import type { Request } from '../frame/command.ts';
import { UsageError } from '../frame/usage-error.ts';
import type { World } from '../input/world.ts';
import { findPolicy } from '../names/find.ts';

/** Answers where a policy has effect, and what it lost in each place. */
export function answer(world: World, { args, colors }: Request): Answer {
  const { item: policy, rest } = findPolicy(world, args);
  if (rest.length > 0) throw new UsageError(`"${rest.join(' ')}" has no meaning after the policy; leave it out`);
  const view = world.views.find(({ effective }) => effective.policy(policy.locator) !== undefined);
  const [state] = view === undefined ? [] : policyStates(world, [view], new Set([policy.locator]));
  if (view === undefined || state === undefined) throw new UsageError(`${policy.locator} cannot be read as a policy`);
  const stanzas = hasStanzas(view);
  const isMerged = view.found.merging === 'known';
  const scopes = view.effective.reach(policy.locator).map(({ effective, outcome, losses, issues }) => ({
    target: effective.target,
    through: pathsOf(effective),
    outcome: isMerged ? outcome : ('not-merged' as const),
    losses: losses.map((loss) => ({
      pointer: loss.pointer,
      reason: formatLoss(loss, { stanzas }),
      to: winnersOf(loss),
    })),
    issues: issues.map(({ message }) => message),
  }));
  const rows = scopes.map(({ target, through, outcome, losses, issues }) => [
    formatTarget(target),
    through.join(', '),
    outcomeCell(outcome, colors),
    [...new Set(losses.map(({ pointer }) => pointer || 'everything'))].join(', '),
    [...losses.map(({ pointer, reason }) => `${pointer === '' ? '' : `${pointer}: `}${reason}`), ...issues].join('; '),
  ]);
  const columns = [
    ...['TARGET', 'THROUGH', 'OUTCOME', 'LOST'].map((name) => ({ name })),
    { name: 'REASON', isWide: true },
  ];
  return {
    document: {
      kind: 'Reach',
      ...documentOf(state),
      scopes: scopes.map(({ target, ...scope }) => ({ target: target.ref, ...scope })),
    },
    sections: [
      { heading: formatRef(state.ref), blocks: [{ lines: [outcomeLine(state)] }] },
      { blocks: rows.length > 0 ? [{ table: { columns, rows } }] : [] },
    ],
    names: scopes.map(({ target }) => target.locator.replace(':', '/')),
    notes: rows.length > 0 ? [] : ['The policy has no effect on anything.'],
  };
}

function winnersOf(loss: Parameters<typeof rivalsIn>[0][number]): readonly string[] {
  return [...new Set(rivalsIn([loss]).map(({ name, kind }) => (kind === 'another' ? name : kind)))];
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
