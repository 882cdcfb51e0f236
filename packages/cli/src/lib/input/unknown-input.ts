import type { World } from '../model/world.ts';
import { mergedGateways } from './merged-gateways.ts';
import { type Asking, classesNotKnown, ofAll } from './missing-classes.ts';
import { unreadInput } from './unread-input.ts';

/**
 * Returns the unknown input that answers depend on, in sentences without a full stop: unread input, missing classes and merged Gateways.
 *
 * @param verdict The verdict that depends on it. Default: an answer about all policies.
 */
export function unknownInput(world: World, verdict: Asking = ofAll): readonly string[] {
  return [...unreadInput(world), ...classesNotKnown(verdict, world), ...mergedGateways(world)];
}
