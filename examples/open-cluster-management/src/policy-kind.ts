import { customStrategy } from '@policy-machinery/merge';
import { definePolicyKind, type Fault, type StanzaReader } from '@policy-machinery/policy-kind';
import { isJsonObject, type JsonObject, type JsonValue, stringIn } from '@policy-machinery/resource';
import { z } from 'zod';
import { ManagedCluster, Placement, PlacementBinding } from './target-kinds.ts';

/** The reaction to a cluster that differs from the template. */
export type Action = 'enforce' | 'inform';

/** The templates that a policy puts on a cluster, by kind and name, as in `ConfigurationPolicy/limit-range`. */
export type Templates = Readonly<Record<string, Action>>;

/** Combines the templates of several policies. Among templates with the same name, the one that enforces prevails, otherwise the first. */
export const strictest = customStrategy<Templates>({
  defaults: (draft, established) => {
    for (const [template, action] of Object.entries(established)) {
      if (draft[template] === undefined || action === 'enforce') draft[template] = action;
    }
  },
});

/** The `remediationAction` of a policy replaces those of its templates; a disabled policy has no effect. */
const templates: StanzaReader = {
  strategies: { strictest },
  read(spec) {
    if (spec.disabled === true) return { layers: [], faults: [] };
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
    const layer = {
      strategy: strictest,
      stanza: 'defaults',
      spec: Object.fromEntries(entries),
      pointer: '/spec',
    } as const;
    return { layers: [layer], faults };
  },
};

/** A Policy names no target: PlacementBindings decide which clusters it applies to. */
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

/** Accepts `Enforce` as well as `enforce`. */
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
