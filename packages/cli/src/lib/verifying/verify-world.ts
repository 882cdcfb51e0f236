import {
  type Guarantee,
  type Verdict,
  type VerifiedKind,
  type VerifiedState,
  verify,
} from '@policy-machinery/guarantees';
import { withEarlier, withNotKnown } from '@policy-machinery/guarantees/inner';
import { PolicyMachineryError } from '@policy-machinery/resource';
import { releaseDependencies } from '../answers/not-in-release.ts';
import { commonReading } from '../answers/regular-expressions.ts';
import { unknownInput } from '../input/unknown-input.ts';
import type { World } from '../model/world.ts';
import { concernsIn } from './concerns-in.ts';
import { type GuaranteeSource, notUsable } from './read-guarantees.ts';
import { verifiedKinds } from './verified-kinds.ts';

/**
 * Verifies guarantees. Of a world that could not be read completely, nothing is proved.
 *
 * @param before The world before a change, for expressions that read it. Default: there is none.
 * @returns The verdicts, in the order of the guarantees.
 * @throws {UsageError} If an expression of a guarantee is faulty, with file and line.
 */
export function verifyWorld(world: World, { guarantees, locate }: GuaranteeSource, before?: World): readonly Verdict[] {
  const { namespace } = world.scope;
  const state = stateOf(world);
  const { kinds } = state;
  const input = { ...state, before: before && stateOf(before) };
  const meant = namespace === undefined ? guarantees : guarantees.map((each) => aboutRoutesIn(namespace, each));
  try {
    const verdicts = verify(input, meant).map((verdict) => asFarAsRead(verdict, world, before));
    return namespace === undefined ? verdicts : verdicts.map((verdict) => aboutPoliciesIn(namespace, verdict, kinds));
  } catch (error) {
    if (!(error instanceof PolicyMachineryError) || error.code !== 'invalid-guarantee') throw error;
    throw notUsable(error.issues.map(locate));
  }
}

/** Returns a world, as guarantees see it. */
export function stateOf(world: World): VerifiedState {
  return { topology: world.topology, kinds: verifiedKinds(world), concerns: concernsIn(world), ...commonReading() };
}

/**
 * Returns a verdict about a world that could not be read completely: it proves nothing. A request that breaks the guarantee stays one if files alone are unread.
 *
 * @param before The world before a change, which counts if the guarantee reads it.
 */
export function asFarAsRead(verdict: Verdict, world: World, before?: World): Verdict {
  const earlier = verdict.basis?.compiled.readsBefore === true ? before : undefined;
  const known = withNotKnown(verdict, withEarlier(unreadFor(verdict, world), earlier && unreadFor(verdict, earlier)));
  return [world, earlier].some((each) => (each?.gaps.length ?? 0) > 0) ? { ...known, answer: 'undecided' } : known;
}

/** Returns the parts of a world that a verdict depends on and that could not be read, in sentences without a full stop. */
function unreadFor(verdict: Verdict, world: World): readonly string[] {
  return [...unknownInput(world, verdict), ...releaseDependencies(verdict, world)];
}

/** Returns a guarantee for the requests alone that routes of a namespace take. */
function aboutRoutesIn(namespace: string, guarantee: Guarantee): Guarantee {
  if (guarantee.about === 'policies') return guarantee;
  const { routes = {}, ...others } = guarantee.requests ?? {};
  const namespaces = (routes.namespaces ?? [namespace]).filter((name) => name === namespace);
  return { ...guarantee, requests: { ...others, routes: { ...routes, namespaces } } };
}

/** Returns a verdict about policies for one namespace's policies alone. */
function aboutPoliciesIn(namespace: string, verdict: Verdict, kinds: readonly VerifiedKind[]): Verdict {
  if (verdict.guarantee.about !== 'policies') return verdict;
  const policies = verdict.policies.filter((policy) => policy.namespace === namespace);
  const all = kinds
    .flatMap((kind) => kind.policies)
    .filter(({ node }) => node.resource.metadata.namespace === namespace);
  const isUndecided = verdict.hiddenBy.length + verdict.errors.length + verdict.notKnown.length > 0;
  const answer = policies.length > 0 ? 'broken' : isUndecided ? 'undecided' : 'holds';
  return { ...verdict, answer, policies, classes: all.length };
}
