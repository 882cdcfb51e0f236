import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import { concernNames } from '@policy-machinery/policy-kind';
import { groupKindKey, objectIn } from '@policy-machinery/resource';
import { isSectionKind, type TargetNode } from '@policy-machinery/topology';
import { authorOf, type Evidence, type KindFacts } from './author.ts';
import type { BackendPath } from './backends.ts';
import type { Holds } from './conditions.ts';
import { evidenceOf } from './evidence.ts';
import type { CoverageInput, CoveringKind } from './facts.ts';
import { rulesIn } from './field-states.ts';
import { withNamedObject } from './named-object.ts';
import { unknownEvidence } from './own-evidence.ts';
import { combineShares } from './shares.ts';

/** A policy kind: each distinct effective policy is evaluated once. */
export interface KindReader extends CoveringKind {
  /** `undefined` if the effects of the fields of the kind are not known. */
  readonly facts: KindFacts | undefined;
  /** Whether policies of the kind may have an effect on backends, so that the paths to them differ. */
  readonly affectsBackends: boolean;
  /** Returns the effects of an effective policy; for `undefined`, of none. */
  readonly read: (effective: EffectivePolicy<unknown> | undefined) => readonly Evidence[];
}

const nothing: readonly Evidence[] = [];
const frontKinds = new Set(['GatewayClass', 'Gateway', 'ListenerSet', 'XListenerSet', 'Namespace']);

/** Returns a reader for each policy kind that has policies. */
export function kindReaders(input: CoverageInput, holds: Holds): readonly KindReader[] {
  const { kinds, factsOf, mayServe } = input;
  return kinds.flatMap((covering): readonly KindReader[] => {
    const { kind, policies } = covering.effective;
    if (policies.length === 0) return [];
    const known = kind.concerns === undefined ? factsOf(kind) : { fields: kind.concerns };
    const facts = known && { ...known, kind, isMerged: covering.isMerged };
    if (facts?.fields.length === 0) return [];
    const read = new Map<object, readonly Evidence[]>();
    const evidence = (effective: EffectivePolicy<unknown>): readonly Evidence[] => {
      if (facts !== undefined) {
        const { fields } = facts;
        return evidenceOf(effective, facts, holds).map((share) => {
          const rules = rulesIn(fields, objectIn(effective.spec), share.concern);
          return withNamedObject({ ...share, rules }, effective, fields, input, holds);
        });
      }
      const [layer] = effective.layers;
      const because = `the effect of ${kind.kind} is not known; declare its concerns`;
      return layer === undefined ? [] : unknownEvidence(mayServe?.(kind) ?? concernNames, authorOf(layer, ''), because);
    };
    return [
      {
        ...covering,
        facts,
        affectsBackends: kind.effectiveTargets
          .map((target) => (isSectionKind(target) ? target.of : target))
          .some((target) => !frontKinds.has(target.kind) && !/Route$/.test(groupKindKey(target).split('.')[0] ?? '')),
        read(effective) {
          if (effective === undefined) return nothing;
          const there = read.get(effective.key) ?? evidence(effective);
          read.set(effective.key, there);
          return there;
        },
      },
    ];
  });
}

/** Returns the effects of a kind on the requests on some paths: in the most specific effective policy, which includes the policies above. */
export function evidenceAlong(
  { effective, read, affectsBackends }: KindReader,
  paths: readonly BackendPath[],
): readonly Evidence[] {
  const meant = affectsBackends ? paths : paths.slice(0, 1);
  return combineShares(meant.map(({ path, weight }) => ({ weight, evidence: read(effective.along(path).at(-1)) })));
}

/** Returns the effects of a kind on requests at one target of a mesh; in several contexts, in one of them. */
export function evidenceAt({ effective, read }: KindReader, target: TargetNode): readonly Evidence[] {
  return combineShares(effective.of(target).map((it) => ({ weight: 1, evidence: read(it) })));
}
