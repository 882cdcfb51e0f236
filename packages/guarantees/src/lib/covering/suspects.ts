import { type ConcernName, concernNames } from '@policy-machinery/policy-kind';
import { objectIn, specOf } from '@policy-machinery/resource';
import type { Path, TargetNode } from '@policy-machinery/topology';
import type { Evidence, KindFacts } from './author.ts';
import type { Holds } from './conditions.ts';
import { statesInStanzas } from './evidence.ts';
import type { CoveringKind } from './facts.ts';
import { unknownEvidence } from './own-evidence.ts';

/** The possible effects of policies that are invalid, or that their controller refuses, by the target that they name. */
export type Suspects = ReadonlyMap<TargetNode, readonly Evidence[]>;

/**
 * Returns the possible effects of policies that are not in force because they are invalid or refused. Such a policy covers nothing. Whether requests
 * fail or pass without it depends on the system.
 *
 * @param kinds The policy kinds, each with facts about its fields.
 * @param holds Evaluates conditions.
 */
export function suspectsOf(
  kinds: readonly (CoveringKind & { readonly facts: KindFacts | undefined })[],
  holds: Holds,
): Suspects {
  const suspects = new Map<TargetNode, readonly Evidence[]>();
  for (const { effective, facts } of kinds) {
    for (const { node, policy, verdicts } of effective.policies) {
      if (policy !== undefined && verdicts.length === 0) continue;
      const concerns = concernsIn(objectIn(specOf(node.resource)), facts, holds);
      const { kind } = node.resource;
      const because = `${kind} ${policy?.name ?? node.resource.metadata.name} is ${policy === undefined ? 'invalid' : 'refused by its controller'}; requests may fail`;
      for (const { target } of node.attachments) {
        if (target === undefined) continue;
        const name = `${node.resource.metadata.namespace ?? ''}/${node.resource.metadata.name}`;
        const author = { kind, name, locator: node.locator, target, pointer: '' };
        suspects.set(target, [...(suspects.get(target) ?? []), ...unknownEvidence(concerns, author, because)]);
      }
    }
  }
  return suspects;
}

function concernsIn(
  spec: ReturnType<typeof objectIn>,
  facts: KindFacts | undefined,
  holds: Holds,
): readonly ConcernName[] {
  if (facts === undefined) return concernNames;
  const stanzas = facts.stanzas ?? ['', '/defaults', '/overrides'];
  return [...statesInStanzas(spec, { ...facts, stanzas }, holds).keys()];
}

/** Returns the suspects on a path, and in the namespaces of its targets. */
export function suspectsOn(suspects: Suspects, path: Path): readonly Evidence[] {
  if (suspects.size === 0) return [];
  const passed = new Set(path.flatMap((node) => [node, node.object, ...node.object.containers]));
  return [...passed].flatMap((node) => suspects.get(node) ?? []);
}
