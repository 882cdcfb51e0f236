import { type JsonObject, type KubernetesObject, objectIn, objectsIn, stringIn } from '@policy-machinery/resource';
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
 * @param options Colours.
 * @returns Rows with four columns: the resource, the ancestor, the condition without its domain, and its message.
 */
export function statusRows(
  { kind, metadata, status }: KubernetesObject,
  { colors = noColors }: Pick<TextOptions, 'colors'> = {},
): readonly Row[] {
  const { conditions, ancestors } = objectIn(status);
  const rows = [
    ...objectsIn(conditions).map((condition) => rowOf('', condition, colors)),
    ...objectsIn(ancestors).flatMap(({ ancestorRef, conditions: there }) => {
      const { kind: of, name, sectionName } = objectIn(ancestorRef);
      const section = stringIn(sectionName);
      const where = `for ${stringIn(of) ?? 'Gateway'} ${stringIn(name) ?? ''}${section === undefined ? '' : `#${section}`}`;
      return objectsIn(there).map((condition, index) => rowOf(index === 0 ? where : '', condition, colors));
    }),
  ];
  return rows.map((row, index): Row => [index === 0 ? [`${kind} ${metadata.name}`, colors.cyan] : '', ...row]);
}

/** Returns the row of a condition. Fields that are not text are empty. */
function rowOf(where: string, condition: JsonObject, colors: Colors): Row {
  const { type, status, reason, message } = condition;
  const [name, is, why] = [type, status, reason].map((field) => stringIn(field) ?? '');
  return [
    where,
    [`${name?.replace(/^.*\//, '')}=${is}/${why}`, status === 'True' ? colors.green : colors.red],
    stringIn(message) ?? '',
  ];
}
