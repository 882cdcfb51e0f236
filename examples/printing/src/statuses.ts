import type { Condition, PolicyAncestorStatus } from '@policy-machinery/conditions';
import { isJsonObject, type KubernetesObject } from '@policy-machinery/resource';
import type { Colors } from './colors.ts';
import type { Row } from './table.ts';

/**
 * What the status of a policy says, for people: its conditions, by ancestor.
 *
 * @param policy The policy, as a plan of statuses makes it.
 * @param colors Colours, or none.
 * @returns Rows of a table with four columns: the policy, for which ancestor, the condition, and its message.
 */
export function statusRows(policy: KubernetesObject, colors: Colors): readonly Row[] {
  const { ancestors = [] } = (isJsonObject(policy.status) ? policy.status : {}) as {
    readonly ancestors?: readonly PolicyAncestorStatus[];
  };
  const rows = ancestors.flatMap(({ ancestorRef: { kind: of, name, sectionName }, conditions }) => {
    const section = sectionName === undefined ? '' : `#${sectionName}`;
    return conditions.map((condition, index) =>
      rowOf(index === 0 ? `for ${of} ${name}${section}` : '', condition, colors),
    );
  });
  return rows.map(
    (row, index): Row => [index === 0 ? [`${policy.kind} ${policy.metadata.name}`, colors.cyan] : '', ...row],
  );
}

function rowOf(where: string, { type, status, reason, message }: Condition, colors: Colors): Row {
  return [where, [`${type}=${status}/${reason}`, status === 'True' ? colors.green : colors.red], message];
}
