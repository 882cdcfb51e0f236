import { reportPolicies } from '@policy-machinery/policy-status';
import { locatorOf, type ResourceRef, refOf } from '@policy-machinery/resource';
import { type Attachment, formatRef, type PolicyNode } from '@policy-machinery/topology';
import { causeOfDoubt, hasGrounds } from '../input/gitops/grounds.ts';
import { type StateOutcome, stateOutcome } from '../model/state-outcome.ts';
import type { PolicyView, World } from '../model/world.ts';
import { type StatusAge, statusAges, statusAgeTexts } from '../statuses/status-age.ts';
import { fieldsNotInRelease, hasOtherFields, notInReleaseText } from './not-in-release.ts';

export interface PolicyState {
  readonly policy: PolicyNode;
  readonly ref: ResourceRef;
  readonly view: PolicyView;
  readonly outcome: StateOutcome;
  /** The reason, in sentences. */
  readonly message: string;
  /** Why the status is not about the current policy. Default: it is, or the input is without statuses. */
  readonly statusAge?: StatusAge;
}

const noAges: ReadonlyMap<string, StatusAge> = new Map();

/** Returns the reason of the outcome `not-rendered`. */
export function notRendered(world: World, { locator }: PolicyNode): string {
  return `Not rendered: ${causeOfDoubt(world, locator)}.`;
}

/**
 * Returns the outcomes of the policies of a world.
 *
 * @param views The kinds of the policies. Default: all.
 * @param only Locators of the policies. Default: all.
 * @returns The policies with their outcomes, sorted by kind and locator.
 */
export function policyStates(
  world: World,
  views: readonly PolicyView[] = world.views,
  only?: ReadonlySet<string>,
): readonly PolicyState[] {
  const fields = fieldsNotInRelease(world);
  const applied = new Set(world.source?.files.map((object) => locatorOf(object)));
  return views.flatMap((view) => {
    const ages = world.ignoreStatus ? noAges : statusAges(view, world.source !== undefined, applied, only);
    return reportPolicies(view.effective, { policies: only }).map(({ policy, outcome, message }): PolicyState => {
      const ref = refOf(policy.resource, policy.kind.scope);
      const merging = stateOutcome(outcome, view.found.merging);
      const isGrounded = outcome === 'enforced' || hasGrounds(world, { code: outcome, resource: policy.locator });
      const state = isGrounded ? merging : 'not-rendered';
      const computed = isGrounded ? (state === outcome ? message : notMerged(view)) : notRendered(world, policy);
      const age = ages.get(policy.locator);
      const parts = asFarAsReleased(
        { policy, ref, view, outcome: state, message: computed },
        fields.get(policy.resource),
      );
      if (age === undefined) return parts;
      return { ...parts, message: `${parts.message} ${statusAgeTexts[age]}`, statusAge: age };
    });
  });
}

/** The outcomes of policies that are in force, or may be. */
const inForce: ReadonlySet<StateOutcome> = new Set(['enforced', 'partly-enforced', 'not-merged']);

/** Returns a state as far as the fields count that the shipped schema of the kind does not have. */
function asFarAsReleased(state: PolicyState, pointers: readonly string[] = []): PolicyState {
  if (pointers.length === 0 || !inForce.has(state.outcome)) return state;
  const text = notInReleaseText(pointers, state.view);
  if (hasOtherFields(state.policy.resource, pointers, state.view))
    return { ...state, message: `${state.message} ${text}` };
  return { ...state, outcome: 'undecided', message: text };
}

/** Returns why policies of a kind are shown side by side and not merged, and the remedy. */
export function notMerged({ found: { kind, unmergedBecause } }: PolicyView): string {
  if (unmergedBecause !== undefined) return unmergedBecause;
  return `How ${kind.kind} is merged is not known; declare it with --dialect ${kind.group}/${kind.kind}=PROFILE.`;
}

/**
 * Returns the targets that a policy declares, as people write them.
 *
 * @returns One text for each target that the policy names, and for each selector: `HTTPRoute cart#pay`, `HTTPRoute team=shop`.
 */
export function declaredTargets({ attachments }: PolicyNode): readonly string[] {
  const texts = attachments.flatMap(({ declared, target, via }: Attachment): readonly string[] => {
    if (via === 'policyRef' && target !== undefined) return [`${target.ref.kind} ${target.ref.name} names it`];
    if ('name' in declared) return [formatRef({ ...declared, section: declared.sectionName })];
    return 'kind' in declared ? [`${declared.kind} by labels`] : [];
  });
  return [...new Set(texts)];
}
