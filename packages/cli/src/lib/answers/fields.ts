import { describeLoss, type EffectiveField, type EffectivePolicy } from '@policy-machinery/effective-policy';
import { describeUndecidedLink } from '@policy-machinery/effective-policy/inner';
import { maskSecrets } from '@policy-machinery/policy-kind';
import { formatPointer, type JsonValue, objectIn, parsePointer } from '@policy-machinery/resource';
import { type Cell, type Colors, fieldRows, type Row } from '@policy-machinery/text';
import { formatPath } from '@policy-machinery/topology';
import type { Block } from '../model/answer.ts';
import type { PolicyView } from '../model/world.ts';
import { lossesIn, type WholeLoss } from './whole-losses.ts';

type Field = EffectiveField<unknown>;
type Effective = EffectivePolicy<unknown>;

/** Returns whether policies of a kind write defaults and overrides: then texts say which of these a field is from. */
export function hasStanzas({ found: { kind, merging } }: PolicyView): boolean {
  return merging === 'known' && (kind.stanzas.shape?.stanzas.some(({ field }) => field !== undefined) ?? true);
}

/**
 * Returns the fields of an effective policy in the form for its kind: if policies are not merged, each policy has its own fields. Secret
 * values are masked.
 *
 * @param view The kind.
 * @param pointer Only fields at this JSON Pointer and below.
 * @returns The fields, by pointers into specs.
 */
export function fieldsFor(
  fields: readonly Field[],
  { found, secrets }: Pick<PolicyView, 'found' | 'secrets'>,
  pointer = '',
): readonly Field[] {
  const own = found.merging === 'known' ? fields : fields.map(withoutPolicy);
  return own
    .filter((field) => field.pointer === pointer || field.pointer.startsWith(`${pointer}/`) || pointer === '')
    .map((field) => withoutSecrets(field, secrets));
}

/** Returns a field with its secret values masked. */
function withoutSecrets(field: Field, secrets: PolicyView['secrets']): Field {
  const mask = (value: JsonValue | undefined) =>
    value === undefined ? undefined : maskSecrets(value, field.pointer, secrets);
  const [value, lost] = [mask(field.value), field.over.map((loss) => mask(loss.value))];
  if (value === field.value && lost.every((each, index) => each === field.over[index]?.value)) return field;
  return { ...field, value, over: field.over.map((loss, index) => ({ ...loss, value: lost[index] })) };
}

/** Returns an effective spec with its secret values masked. If policies are not merged, it has a field for each of them. */
export function specWithoutSecrets(
  spec: unknown,
  { found, secrets }: Pick<PolicyView, 'found' | 'secrets'>,
): JsonValue {
  const given = objectIn(spec);
  if (found.merging === 'known') return maskSecrets(given, '', secrets);
  return Object.fromEntries(Object.entries(given).map(([policy, own]) => [policy, maskSecrets(own, '', secrets)]));
}

/** Returns a field without the name of its policy. Policies that are not merged are fields of the effective spec, by their names. */
function withoutPolicy(field: Field): Field {
  const [, ...path] = parsePointer(field.pointer);
  return { ...field, pointer: formatPointer(path) };
}

/** How many paths a text shows at most; the others are counted. */
const maxPaths = 3;

/**
 * Returns the paths of an effective policy, for people.
 *
 * @param policy The effective policy.
 * @returns The first paths, without the target itself, and how many others there are; none for a target without parents.
 */
export function pathsOf(policy: Effective): readonly string[] {
  const texts: string[] = [];
  for (const path of policy.paths()) {
    if (texts.length >= maxPaths) break;
    texts.push(formatPath(path.filter(({ object }) => object !== policy.target.object)));
  }
  const more = policy.pathCount - BigInt(texts.length);
  return [...texts.filter((text) => text !== ''), ...(more > 0n ? [`${more} more`] : [])];
}

/**
 * Returns an effective policy as text for people: its kind, the paths to it, and its fields.
 *
 * @param view The kind.
 * @param policy The effective policy.
 * @param fields The fields to show.
 * @param colors Colours.
 * @returns The blocks.
 */
export function effectiveBlocks(
  view: PolicyView,
  policy: Effective,
  fields: readonly Field[],
  colors: Colors,
): readonly Block[] {
  const { kind, merging } = view.found;
  const ways = pathsOf(policy);
  const through = ways.length === 0 ? '' : ` through ${ways.join(' and ')}`;
  const unmerged = merging === 'known' ? '' : ', not merged';
  const { whole, parts } = lossesIn(policy, fields);
  const style = { colors, stanzas: hasStanzas(view) };
  const rows = reasonsOnce(parts.flatMap((field) => fieldRows(field, style)));
  const faults = [...new Set(policy.issues.map(({ message }) => `error: ${message}`))];
  const columns = ['FIELD', 'VALUE', 'POLICY', 'WHERE'].map((name) => ({ name }));
  const { undecidedLink } = policy;
  const doubts = undecidedLink === undefined ? [] : [`undecided: ${describeUndecidedLink(undecidedLink)}`];
  return [
    { lines: [`${kind.kind}${through}${unmerged}`], indent: 2 },
    { table: { layout: 'detail', columns, rows }, indent: 4 },
    ...(whole.length === 0 ? [] : [{ lines: whole.map((loss) => wholeLine(loss, style)), indent: 4 }]),
    ...(doubts.length === 0 ? [] : [{ lines: doubts.map((doubt): Cell => [doubt, colors.yellow]), indent: 4 }]),
    ...(faults.length === 0 ? [] : [{ lines: faults.map((fault): Cell => [fault, colors.red]), indent: 4 }]),
  ];
}

/** Says a reason in full where it is given first, and refers to it where another field was lost to the same policy by the same rule. */
function reasonsOnce(rows: readonly Row[]): readonly Row[] {
  const told = new Set<string>();
  return rows.map((row) => {
    const cell = row[3];
    if (cell === undefined || typeof cell === 'string') return row;
    const [reason, paint] = cell;
    if (told.has(reason)) return [...row.slice(0, 3), ['lost for the same reason', paint]];
    told.add(reason);
    return row;
  });
}

/** Reports that a policy lost all fields that it sets: they do not have rows. */
function wholeLine({ loss, count }: WholeLoss, { colors, stanzas }: { colors: Colors; stanzas: boolean }): Cell {
  const what = count === 1 ? 'its field' : `all ${count} fields`;
  return [`${loss.layer.policy.name} loses ${what}: ${describeLoss(loss, { stanzas })}`, colors.dim];
}
