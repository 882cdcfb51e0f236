import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import { printable } from '@policy-machinery/resource';
import { formatPath, formatTarget, type Path } from '@policy-machinery/topology';
import { noColors } from './colors.ts';
import { type FieldTextOptions, formatFields } from './fields.ts';

/** How an effective policy is formatted. */
export interface EffectivePolicyTextOptions extends FieldTextOptions {
  /** How many paths are shown; the rest is counted. Default 3. */
  readonly paths?: number | undefined;
}

/**
 * Formats an effective policy: the target, the paths that the policy applies on, its fields as in {@link formatFields}, and the issues.
 *
 * @param policy The effective policy.
 * @param options Layout, colours, the names of strategies, and the number of paths.
 * @returns The lines, without a line break at the end. Takes as long as finding that many paths.
 * @example
 * ```ts
 * for (const policy of effectivePolicies(topology, TimeoutPolicy)) console.log(formatEffectivePolicy(policy));
 * ```
 */
export function formatEffectivePolicy(
  policy: EffectivePolicy<unknown>,
  options: EffectivePolicyTextOptions = {},
): string {
  const { colors = noColors, indent = 0, paths: limit = 3 } = options;
  const space = ' '.repeat(indent);
  const more = policy.pathCount - BigInt(limit);
  const ways = [...firstPaths(policy, limit), ...(more > 0n ? [`${more} more`] : [])];
  return [
    `${space}${colors.bold(formatTarget(policy.target))}`,
    ...ways.map((way, index) => `${space}  ${index === 0 ? 'through' : '    and'} ${way}`),
    formatFields(policy, { ...options, indent: indent + 4 }),
    ...[...new Set(policy.issues.map(({ message }) => message))].map(
      (message) => `${space}    ${colors.red(printable(`error: ${message}`))}`,
    ),
  ].join('\n');
}

/** Returns the first paths, without the target itself; none if the target is without parents. */
function firstPaths(policy: EffectivePolicy<unknown>, limit: number): readonly string[] {
  const ways: string[] = [];
  for (const path of policy.paths()) {
    if (ways.length >= limit) break;
    ways.push(formatPath(withoutObject(path, policy.target.object)));
  }
  return ways.filter((way) => way !== '');
}

function withoutObject(path: Path, object: Path[number]): Path {
  return path.filter((target) => target.object !== object);
}
