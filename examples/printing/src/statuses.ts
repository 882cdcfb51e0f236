import type { Condition, PolicyAncestorStatus } from '@policy-machinery/conditions';
import { isJsonObject, type KubernetesObject } from '@policy-machinery/resource';
import type { Colors } from './colors.ts';
import type { Row } from './table.ts';

/**
 * What the status of a resource says, for people: its conditions, by ancestor where it has ancestors.
 *
 * @param resource The resource, as a plan of statuses makes it.
 * @param colors Colours, or none.
 * @returns Rows of a table with four columns: the resource, for which ancestor, the condition without its domain, and its message.
 */
export function statusRows({ kind, metadata, status }: KubernetesObject, colors: Colors): readonly Row[] {
  const { conditions = [], ancestors = [] } = (isJsonObject(status) ? status : {}) as Status;
  const rows = [
    ...conditions.map((condition) => rowOf('', condition, colors)),
    ...ancestors.flatMap(({ ancestorRef: { kind: of, name, sectionName }, conditions: there }) => {
      const where = `for ${of} ${name}${sectionName === undefined ? '' : `#${sectionName}`}`;
      return there.map((condition, index) => rowOf(index === 0 ? where : '', condition, colors));
    }),
  ];
  return rows.map((row, index): Row => [index === 0 ? [`${kind} ${metadata.name}`, colors.cyan] : '', ...row]);
}

interface Status {
  readonly conditions?: readonly Condition[];
  readonly ancestors?: readonly PolicyAncestorStatus[];
}

function rowOf(where: string, { type, status, reason, message }: Condition, colors: Colors): Row {
  return [
    where,
    [`${type.replace(/^.*\//, '')}=${status}/${reason}`, status === 'True' ? colors.green : colors.red],
    message,
  ];
}
