import { createHash } from 'node:crypto';
import type { EffectivePolicies, EffectivePolicy } from '@policy-machinery/effective-policy';

/**
 * Returns a text that differs if the policies of a target differ in effect: in an effective spec, the origins of its fields, the number of paths
 * that it applies to, or their data planes. Labels and statuses do not count.
 *
 * @returns The text; `undefined` if nothing applies to the target. O(contexts of the target).
 */
export function fingerprintOf(view: EffectivePolicies<unknown>, target: string): string | undefined {
  const contexts = view.of(target);
  if (contexts.length === 0) return undefined;
  const hash = createHash('sha1');
  for (const context of contexts.map(describe).sort()) hash.update(context).update('\n');
  return hash.digest('base64');
}

function describe(context: EffectivePolicy<unknown>): string {
  const origins = context.origins.map(({ pointer, by }) => [
    pointer,
    by.map((layer) => [layer.policy.locator, layer.pointer]),
  ]);
  const dataPlanes = context.dataPlanes.map(({ locator }) => locator);
  return JSON.stringify([context.spec, origins, String(context.pathCount), dataPlanes]);
}
