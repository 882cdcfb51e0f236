import type { ContextLayer, EffectiveField, EffectivePolicy } from '@policy-machinery/effective-policy';
import { describeRule, describeStrategy, describeUndecidedLink } from '@policy-machinery/effective-policy/inner';
import { formatTarget } from '@policy-machinery/topology';
import type { PolicyView } from '../model/world.ts';
import { pathsOf, specWithoutSecrets } from './fields.ts';
import { undecidedFields } from './undecided-fields.ts';

/** Returns an effective policy for programs, with the pointers of undecided fields. */
export function effectiveDocument(
  view: PolicyView,
  policy: EffectivePolicy<unknown>,
  fields: readonly EffectiveField<unknown>[],
): object {
  const { kind, merging } = view.found;
  const undecided = undecidedFields(view, policy);
  return {
    kind: { group: kind.group, kind: kind.kind },
    merging,
    target: policy.target.ref,
    through: pathsOf(policy),
    spec: specWithoutSecrets(policy.spec, view),
    ...(policy.issues.length === 0 ? {} : { issues: policy.issues }),
    ...(policy.undecidedLink === undefined ? {} : { undecided: describeUndecidedLink(policy.undecidedLink) }),
    ...(undecided.length === 0 ? {} : { undecidedFields: undecided }),
    fields: fields.map(({ pointer, value, by, over }) => ({
      pointer,
      value: value ?? null,
      setBy: by.map(layerDocument),
      lost: over.map((loss) => ({
        value: loss.value ?? null,
        by: layerDocument(loss.layer),
        to: [
          {
            policies: policyNames(loss.winners),
            rule: loss.rule,
            strategy: describeStrategy(loss),
            reason: describeRule(loss),
          },
        ],
        holders: policyNames(loss.holders),
      })),
    })),
  };
}

function policyNames(layers: readonly ContextLayer<unknown>[]): readonly string[] {
  return [...new Set(layers.map(({ policy }) => policy.name))];
}

function layerDocument({ policy, stanza, level: { target, via } }: ContextLayer<unknown>): object {
  return { policy: policy.name, stanza, target: formatTarget(target), via };
}
