import type { Condition, PolicyAncestorStatus } from '@policy-machinery/conditions';
import { isJsonObject, type KubernetesObject } from '@policy-machinery/resource';
import { type Colors, noColors } from './colors.ts';
import { formatTable, type Row, type TextOptions } from './table.ts';

/**
 * Formats the conditions in the statuses of resources, by ancestor if there are ancestors.
 *
 * @param resources The resources, such as the results of planned writes.
 * @param options Layout and colours.
 * @returns One line for each condition, without a line break at the end.
 */
export function formatStatuses(resources: Iterable<KubernetesObject>, options: TextOptions = {}): string {
  return formatTable(
    [...resources].flatMap((resource) => statusRows(resource, options)),
    options,
  );
}

/**
 * Returns the conditions in the status of a resource as rows, for a table with more columns than {@link formatStatuses} has.
 *
 * @param resource The resource.
 * @param options Colours.
 * @returns Rows with four columns: the resource, the ancestor, the condition without its domain, and its message.
 */
export function statusRows(
  { kind, metadata, status }: KubernetesObject,
  { colors = noColors }: Pick<TextOptions, 'colors'> = {},
): readonly Row[] {
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
