import {
  describeLoss,
  type EffectiveField,
  type EffectivePolicies,
  type EffectivePolicy,
  type ExplainedPolicy,
} from '@policy-machinery/effective-policy';
import { type JsonValue, parsePointer, type ResourceRef } from '@policy-machinery/resource';
import { formatPath, formatTarget } from '@policy-machinery/topology';

/** A field of an effective policy, at all places where the very same applies. */
export interface Row {
  /** The targets, each with the way to it. */
  readonly where: string;
  readonly field: string;
  readonly value: string;
  readonly setBy: string;
  /** What lost, and why; empty if nothing did. */
  readonly lost: string;
}

/**
 * Returns what applies to a target or below it, of one policy kind; for a target with nothing below, such as a Service, what applies to the targets
 * that lead to it.
 *
 * @param view The effective policies of the kind.
 * @param ref The target.
 * @returns A row for each field; those of equal effective policies once.
 */
export function rowsFor(view: EffectivePolicies<unknown>, ref: ResourceRef): readonly Row[] {
  const groups = new Map<string, { readonly places: string[]; readonly rows: readonly Omit<Row, 'where'>[] }>();
  for (const { policy, fields } of explainedFor(view, ref)) {
    const rows = fields.map(rowOf);
    const key = JSON.stringify(rows);
    const group = groups.get(key) ?? { places: [], rows };
    groups.set(key, group);
    group.places.push(placeOf(policy));
  }
  return [...groups.values()].flatMap(({ places, rows }) => rows.map((row) => ({ where: listOf(places), ...row })));
}

function explainedFor(view: EffectivePolicies<unknown>, ref: ResourceRef): readonly ExplainedPolicy<unknown>[] {
  const { target, effective } = view.explain(ref);
  if (target === undefined || effective.length > 0) return effective;
  const above = new Set([target, ...target.sections].flatMap(({ linksFrom }) => linksFrom));
  return [...above].flatMap((from) => view.explain(from).effective);
}

function rowOf({ pointer, value, by, over }: EffectiveField<unknown>): Omit<Row, 'where'> {
  return {
    field: parsePointer(pointer).join('.') || 'all',
    value: value === undefined ? 'not set' : textOf(value),
    setBy: [...new Set(by.map(({ policy }) => policy.name))].join(', '),
    lost: over.map((loss) => `${textOf(loss.value)} of ${loss.layer.policy.name}: ${describeLoss(loss)}`).join('; '),
  };
}

/** Names the target, and the first way to it without its own object. */
function placeOf(policy: EffectivePolicy<unknown>): string {
  const [first = []] = policy.paths();
  const way = formatPath(first.filter(({ object }) => object !== policy.target.object));
  const others = policy.pathCount > 1n ? ` and ${policy.pathCount - 1n} more` : '';
  return way === '' ? formatTarget(policy.target) : `${formatTarget(policy.target)} through ${way}${others}`;
}

function listOf(places: readonly string[]): string {
  const [first = '', second, ...others] = places;
  if (second === undefined) return first;
  return others.length === 0 ? `${first} and ${second}` : `${first} and ${places.length - 1} more`;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
