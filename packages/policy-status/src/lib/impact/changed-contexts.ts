import type { EffectivePolicies, EffectivePolicy } from '@policy-machinery/effective-policy';
import { pairedByPaths } from './paired-by-paths.ts';
import { levelComparison, pairedInOrder } from './paired-in-order.ts';

/** An effective policy that appears, disappears, or has other parts. */
export interface ChangedContext {
  readonly target: string;
  readonly before: EffectivePolicy<unknown> | undefined;
  readonly after: EffectivePolicy<unknown> | undefined;
}

/**
 * Compares the contexts of targets before and after a change. Contexts with the same policies are left out without merging; the others are
 * paired in order where the same policies meet by name, and otherwise by shared paths.
 *
 * @param targets Locators of the targets. Default: all.
 */
export function changedContexts(
  previousView: EffectivePolicies<unknown>,
  currentView: EffectivePolicies<unknown>,
  targets: Iterable<string> = allTargets(previousView, currentView),
): readonly ChangedContext[] {
  const compareLevels = levelComparison();
  return [...targets].flatMap((target) => {
    const [olds, youngs] = [previousView.of(target), currentView.of(target)];
    const pairs = pairedInOrder(olds, youngs, compareLevels) ?? pairedByPaths(olds, youngs);
    return pairs.map(([old, young]) => ({ target, before: old, after: young }));
  });
}

function allTargets(...views: readonly EffectivePolicies<unknown>[]): Iterable<string> {
  return new Set(views.flatMap(({ targets }) => Array.from(targets, ({ locator }) => locator)));
}
