import { affectedConditionType, type Condition, type PolicyAncestorStatus } from '@policy-machinery/conditions';
import type { StatusWrite } from '@policy-machinery/policy-status';
import { groupKindOf, isJsonObject, type KubernetesObject } from '@policy-machinery/resource';
import { type Colors, formatTable, type Row } from '@policy-machinery/text';
import { RetryPolicy } from './retry-policy.ts';

/** The controller that writes the statuses. */
export const controllerName = 'retries.example.com/controller';

/** The condition on objects that RetryPolicies affect, or the annotation on objects without conditions. */
export const affectedType = affectedConditionType(controllerName, RetryPolicy.kind);

/** Returns how many writes there are for each kind. */
export function countByKind(writes: readonly StatusWrite[]): string {
  const counts = new Map<string, number>();
  for (const { ref } of writes) counts.set(ref.kind, (counts.get(ref.kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${kind} ${count}`).join(', ');
}

/** Returns the lines of a JSON Patch as JSON. */
export function patchLines({ patch }: StatusWrite): readonly string[] {
  return JSON.stringify(patch, null, 2)
    .split('\n')
    .map((line) => `    ${line}`);
}

/**
 * Returns what the statuses of resources say about policies: the outcome of a policy, or the policies that affect another object.
 *
 * @param resources The resources.
 * @param colors Colours, or none.
 * @returns One line for each sentence.
 */
export function whatStatusesSay(resources: readonly KubernetesObject[], colors: Colors): readonly string[] {
  const rows = resources.flatMap((resource) => {
    const { kind } = groupKindOf(resource);
    const { namespace, name } = resource.metadata;
    const title = `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
    const said = sayingsOf(resource);
    return said.length === 0
      ? [[title, [`no ${withoutDomain(affectedType)}`, colors.dim] as const]]
      : said.flatMap((it) => rowsOf(title, it, colors));
  });
  return formatTable(rows, { indent: 4 }).split('\n');
}

/** The content of one place in a status: for one ancestor of a policy, or for a whole object. */
interface Saying {
  readonly where: string;
  readonly what: string;
  readonly message: string;
}

function sayingsOf({ status, metadata }: KubernetesObject): readonly Saying[] {
  const { conditions, ancestors, parents } = (isJsonObject(status) ? status : {}) as {
    readonly conditions?: readonly Condition[];
    readonly ancestors?: readonly PolicyAncestorStatus[];
    readonly parents?: readonly { readonly conditions: readonly Condition[] }[];
  };
  const affected = [...(conditions ?? []), ...(parents ?? []).flatMap((parent) => parent.conditions)];
  const mark = metadata.annotations?.[affectedType];
  return [
    ...(ancestors ?? []).flatMap(({ ancestorRef, conditions: ofIt }) =>
      ofIt
        .filter(({ type }) => type === 'Programmed')
        .map((it) => sayingOf(it, ` for ${ancestorRef.kind} ${ancestorRef.name}`)),
    ),
    ...affected.filter(({ type }) => type === affectedType).map((it) => sayingOf(it, '')),
    ...(mark === undefined ? [] : [{ where: '', what: `annotation ${withoutDomain(affectedType)}`, message: mark }]),
  ];
}

function sayingOf({ type, status, reason, message }: Condition, where: string): Saying {
  return { where, what: `${withoutDomain(type)}=${status}/${reason}`, message };
}

function withoutDomain(type: string): string {
  return type.replace(/^.*\//, '');
}

function rowsOf(title: string, { where, what, message }: Saying, colors: Colors): readonly Row[] {
  const [first = '', ...more] = message.split(/(?<=\.) /);
  return [[title + where, [what, colors.green], first], ...more.map((sentence): Row => ['', '', sentence])];
}
