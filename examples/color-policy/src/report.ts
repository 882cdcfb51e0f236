import type { Context, EffectivePolicies } from '@policy-machinery/effective-policy';
import { planStatus } from '@policy-machinery/policy-status';
import { type Colors, fieldRows, formatParagraphs, formatTable, type Row, statusRows } from '@policy-machinery/text';
import type { Example } from './examples.ts';

/** A fixed time, so that the output is always the same. */
const now = new Date('2026-02-01T12:00:00Z');
const controllerName = 'colors.example.com/controller';

/**
 * Returns the outcomes that GEP-713 expects of its examples, in its order and with its numbers: the color of the traffic on each
 * path, the status of each backend, and the status of each policy.
 *
 * @param examples The examples.
 * @param colors Colours, or none.
 * @returns Text for people, with a line break at its end.
 */
export function report(examples: readonly Example[], colors: Colors): string {
  const parts = examples.map(({ title, effective }) => {
    const traffic = trafficIn(effective, colors);
    const statuses = statusesIn(effective, colors);
    const uncovered = effective.uncovered().flatMap(pathsOf);
    return [
      colors.bold(title),
      formatTable(
        [...numbered(traffic, 1), ...uncovered.map((path) => ['', path, ['no color', colors.dim] as const])],
        { indent: 2 },
      ),
      formatTable(numbered(statuses, traffic.length + 1), { indent: 2 }),
    ];
  });
  return formatParagraphs(parts);
}

/** Returns each path in order: its color, the policy that sets the color, and what lost. */
function trafficIn(effective: EffectivePolicies<unknown>, colors: Colors): readonly (readonly Row[])[] {
  const byPath = [...effective].flatMap((policy) => pathsOf(policy).map((path) => ({ path, policy })));
  return byPath
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, policy }) => {
      const rows = policy.fields.flatMap((field) => fieldRows(field, { colors }));
      return rows.map((row, index) => [index === 0 ? path : '', ...row]);
    });
}

/** Formats a path as GEP-713 does: `g1 > r1 > b1`. */
function pathsOf(context: Context<unknown>): readonly string[] {
  return [...context.paths()].map((path) => [...new Set(path.map(({ ref }) => ref.name))].join(' > '));
}

function statusesIn(effective: EffectivePolicies<unknown>, colors: Colors): readonly (readonly Row[])[] {
  const { writes } = planStatus(effective, { controllerName, affected: 'all', now });
  const written = new Map(writes.map(({ locator, result }) => [locator, statusRows(result, { colors })]));
  const backends = [...effective.targets].map(
    ({ locator, ref }) => written.get(locator) ?? [[[`Service ${ref.name}`, colors.cyan] as const, '', 'not affected']],
  );
  const policies = effective.policies.map(({ node }) => written.get(node.locator) ?? []);
  return [...backends, ...policies];
}

/** Numbers each group of rows in its first row. */
function numbered(outcomes: readonly (readonly Row[])[], first: number): readonly Row[] {
  return outcomes.flatMap((rows, count) =>
    rows.map((row, index): Row => [index === 0 ? `${first + count}`.padStart(2) : '', ...row]),
  );
}
