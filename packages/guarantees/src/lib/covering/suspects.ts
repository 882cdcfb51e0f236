import { type ConcernName, concernNames } from '@policy-machinery/policy-kind';
import { objectIn, specOf } from '@policy-machinery/resource';
import { groupedBy } from '@policy-machinery/resource/inner';
import { formatTarget, type Path, type PolicyNode, type TargetNode } from '@policy-machinery/topology';
import { possibleAttachments } from '../verify/possible-attachments.ts';
import type { Evidence, KindFacts } from './author.ts';
import type { Holds } from './conditions.ts';
import { statesInStanzas } from './evidence.ts';
import type { CoveringKind } from './facts.ts';
import { unknownEvidence } from './own-evidence.ts';

/** The possible effects of policies that may not be in force, or may be attached, by the target that they name. */
export type Suspects = ReadonlyMap<TargetNode, readonly Evidence[]>;

/**
 * Returns the possible effects of policies that are invalid or refused, or that may be attached. The former cover nothing: whether requests fail or
 * pass without them depends on the system.
 */
export function suspectsOf(
  kinds: readonly (CoveringKind & { readonly facts: KindFacts | undefined })[],
  holds: Holds,
): Suspects {
  const suspects = new Map<TargetNode, readonly Evidence[]>();
  const topologies = new Set(kinds.map(({ effective: { topology } }) => topology));
  const possible = groupedBy([...topologies].flatMap(possibleAttachments), ({ policy }) => policy);
  for (const { effective, facts } of kinds) {
    const add = ({ resource, locator }: PolicyNode, target: TargetNode, because: string, mayReplace = false): void => {
      const { kind, metadata } = resource;
      const author = { kind, name: `${metadata.namespace ?? ''}/${metadata.name}`, locator, target, pointer: '' };
      const concerns = concernsIn(objectIn(specOf(resource)), facts, holds);
      const effects = unknownEvidence(concerns, author, because).map((evidence) => ({ ...evidence, mayReplace }));
      suspects.set(target, [...(suspects.get(target) ?? []), ...effects]);
    };
    for (const { node, policy, verdicts } of effective.policies) {
      const { kind, metadata } = node.resource;
      const title = `${kind} ${policy?.name ?? metadata.name}`;
      for (const { target } of possible.get(node) ?? []) {
        add(node, target, `${title} may be attached to ${formatTarget(target)}`, true);
      }
      if (policy !== undefined && verdicts.length === 0) continue;
      const because = `${title} is ${policy === undefined ? 'invalid' : 'refused by its controller'}; requests may fail`;
      for (const { target } of node.attachments) if (target !== undefined) add(node, target, because);
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

/** Returns evidence where the effects of policies are unknown if another policy of their kind may replace them. */
export function withoutReplaceable(evidence: readonly Evidence[]): readonly Evidence[] {
  const replacing = evidence.filter(({ mayReplace }) => mayReplace === true);
  if (replacing.length === 0) return evidence;
  return evidence.flatMap((effect) => {
    const by = replacing.find(({ author }) => author.kind === effect.author.kind);
    return by === undefined ? [effect] : unknownEvidence([effect.concern], effect.author, by.because ?? '');
  });
}
