import { requestPaths } from '@policy-machinery/gateway-api';
import { type JsonObject, type KubernetesObject, specOf } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import type { CompiledGuarantee } from '../model/compile.ts';
import type { VerifiedKind } from '../model/verified-kind.ts';
import { everything } from '../requests/region.ts';
import type { RequestSpace } from './space.ts';
import type { HiddenBy, PolicyCounterexample, Verdict } from './verdict.ts';
import { hiddenIn } from './verify-requests.ts';

/** How many classes of requests a policy has an effect on, for certain or if regular expressions match. */
interface Effect {
  certain: number;
  readonly hiddenBy: HiddenBy[];
}

/**
 * Verifies a guarantee about policies: for each policy, the number of classes of requests that it sets a field for.
 *
 * @param topology The topology.
 * @param compiled The guarantee.
 * @param kinds The policy kinds.
 * @param space All requests.
 * @returns The verdict. O(m · paths of a rule) for m matches.
 */
export function verifyPolicies(
  topology: Topology,
  { guarantee, holds }: CompiledGuarantee,
  kinds: readonly VerifiedKind[],
  space: RequestSpace,
): Verdict {
  const effects = effectsOf(topology, kinds, space);
  const broken: PolicyCounterexample[] = [];
  const hiddenBy: HiddenBy[] = [];
  const errors = new Set<string>();
  let classes = 0;
  for (const { kind, policies } of kinds) {
    for (const { node } of policies) {
      classes += 1;
      const { certain, hiddenBy: by } = effects.get(node.locator) ?? { certain: 0, hiddenBy: [] };
      const attached = node.attachments.length > 0;
      const result = holds.evaluate({ policy: policyFacts(node.resource, kind, certain, attached) });
      if ('holds' in result && result.holds) continue;
      const why = 'error' in result ? result.error : undefined;
      if ('error' in result && !result.missing) errors.add(result.error);
      else if (by.length > 0 && certain === 0) hiddenBy.push(...by);
      else broken.push({ policy: node.locator, kind, why });
    }
  }
  const isUndecided = hiddenBy.length > 0 || errors.size > 0;
  const answer = broken.length > 0 ? 'broken' : isUndecided ? 'undecided' : 'holds';
  return {
    guarantee,
    answer,
    kinds: [],
    classes,
    counterexamples: [],
    policies: broken,
    hiddenBy,
    errors: [...errors],
  };
}

function policyFacts(resource: KubernetesObject, kind: string, requests: number, attached: boolean): JsonObject {
  const { namespace = '', name, labels, annotations } = resource.metadata;
  const own = { kind, namespace, name, labels: labels ?? {}, annotations: annotations ?? {} };
  return { ...own, requests, attached, spec: specOf(resource) };
}

function effectsOf(topology: Topology, kinds: readonly VerifiedKind[], space: RequestSpace): Map<string, Effect> {
  const effects = new Map<string, Effect>();
  for (const contest of space.contests) {
    for (const contender of contest.contenders) {
      const reached = space.reach(contest, contender, everything, []);
      if (reached.by === 'none') continue;
      const hidden = reached.by === 'expressions' ? reached.hiddenBy.flatMap(hiddenIn) : [];
      const { at: listener, via, route, rule } = contender;
      for (const path of requestPaths(topology, { listener, via, route, ...(rule && { rule }) })) {
        for (const locator of new Set(kinds.flatMap((kind) => contributorsOn(kind, path)))) {
          const effect = effects.get(locator) ?? { certain: 0, hiddenBy: [] };
          effects.set(locator, effect);
          if (reached.by === 'request') effect.certain += 1;
          else effect.hiddenBy.push(...hidden);
        }
      }
    }
  }
  return effects;
}

/** Returns the policies that set a field of what is met on a path. */
function contributorsOn(kind: VerifiedKind, path: Parameters<VerifiedKind['along']>[0]): readonly string[] {
  const shares = kind.along(path).at(-1)?.shares ?? [];
  return shares.flatMap(({ policy, contributes }) => (contributes ? [policy.locator] : []));
}
