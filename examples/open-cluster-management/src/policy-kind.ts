import { customStrategy } from '@policy-machinery/merge';
import { definePolicyKind, type Fault, type StanzaReader } from '@policy-machinery/policy-kind';
import { isJsonObject, type JsonObject, type JsonValue, stringIn } from '@policy-machinery/resource';
import { z } from 'zod';
import { ManagedCluster, Placement, PlacementBinding } from './target-kinds.ts';

/** What is done about a cluster that is not as it should be. */
export type Action = 'enforce' | 'inform';

/** What a policy puts on a cluster: its templates by kind and name, `ConfigurationPolicy/limit-range`. */
export type Templates = Readonly<Record<string, Action>>;

/** Templates of several policies come together; of those with one name the one that enforces prevails, else the first. */
export const strictest = customStrategy<Templates>({
  defaults: (draft, established) => {
    for (const [template, action] of Object.entries(established)) {
      if (draft[template] === undefined || action === 'enforce') draft[template] = action;
    }
  },
});

/** The `remediationAction` of a policy counts instead of those of its templates; a disabled policy puts nothing anywhere. */
const templates: StanzaReader = {
  strategies: { strictest },
  read(spec) {
    if (spec.disabled === true) return { blocks: [], faults: [] };
    const faults: Fault[] = [];
    const action = actionIn(spec.remediationAction, '/spec/remediationAction', faults);
    const entries = listIn(spec['policy-templates'], faults).map((template, index): readonly [string, JsonValue] => {
      const pointer = `/spec/policy-templates/${index}/objectDefinition`;
      const { kind, name, remediationAction } = definitionIn(template, pointer, faults);
      return [
        `${kind}/${name}`,
        action ?? actionIn(remediationAction, `${pointer}/spec/remediationAction`, faults) ?? 'inform',
      ];
    });
    const block = {
      strategy: strictest,
      stanza: 'defaults',
      spec: Object.fromEntries(entries),
      pointer: '/spec',
    } as const;
    return { blocks: [block], faults };
  },
};

/** A Policy has no target of its own: PlacementBindings say to which clusters it goes. */
export const Policy = definePolicyKind({
  group: 'policy.open-cluster-management.io',
  version: 'v1',
  kind: 'Policy',
  targets: [PlacementBinding],
  effectiveTargets: [ManagedCluster],
  extensionRefs: true,
  ancestors: [PlacementBinding, Placement],
  spec: z.record(z.string(), z.enum(['enforce', 'inform'])),
  stanzas: templates,
});

/** `Enforce` is as good as `enforce`. */
function actionIn(value: JsonValue | undefined, pointer: string, faults: Fault[]): Action | undefined {
  if (value === undefined || value === null) return undefined;
  const action = stringIn(value)?.toLowerCase();
  if (action === 'enforce' || action === 'inform') return action;
  faults.push({ message: 'remediationAction must be enforce or inform', pointer });
  return undefined;
}

function listIn(value: JsonValue | undefined, faults: Fault[]): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  faults.push({ message: 'policy-templates must be a list', pointer: '/spec/policy-templates' });
  return [];
}

function definitionIn(template: JsonValue, pointer: string, faults: Fault[]) {
  const definition = isJsonObject(template) ? template.objectDefinition : undefined;
  const { kind, metadata, spec } = isJsonObject(definition) ? definition : ({} as JsonObject);
  const name = isJsonObject(metadata) ? stringIn(metadata.name) : undefined;
  if (stringIn(kind) === undefined || name === undefined) {
    faults.push({ message: 'objectDefinition must be a resource with kind and name', pointer });
  }
  return { kind, name, remediationAction: isJsonObject(spec) ? spec.remediationAction : undefined };
}
