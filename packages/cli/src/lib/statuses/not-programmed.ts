import {
  type JsonObject,
  type KubernetesObject,
  objectIn,
  objectsIn,
  printable,
  stringIn,
} from '@policy-machinery/resource';
import { isCurrent } from '@policy-machinery/resource/inner';
import type { TargetNode } from '@policy-machinery/topology';
import { conditionsIn, type WrittenCondition } from './written.ts';

/** A Gateway or a listener that its controller could not put into its data plane. */
export interface NotProgrammed {
  readonly target: TargetNode;
  /** The controller's words. */
  readonly message: string;
}

/**
 * Returns which of some targets are not programmed, by their status: Gateways, ListenerSets and their listeners. A target below one of these
 * may not be reachable, whatever its policies are.
 *
 * @param targets The targets. Sections are looked up in the status of their object.
 */
export function notProgrammed(targets: Iterable<TargetNode>): readonly NotProgrammed[] {
  const found: NotProgrammed[] = [];
  for (const target of targets) {
    const { resource, section } = target;
    const status = objectIn(resource.status);
    const holder = section === undefined ? status : entryOf(section.name, status);
    const condition = holder && refusalIn(holder, resource);
    if (condition !== undefined) found.push({ target, message: wordsOf(condition) });
  }
  return found;
}

function entryOf(name: string, { listeners }: JsonObject): JsonObject | undefined {
  return objectsIn(listeners).find((entry) => stringIn(entry.name) === name);
}

function refusalIn(holder: JsonObject, resource: KubernetesObject): WrittenCondition | undefined {
  return conditionsIn(holder).find(
    (it) => it.type === 'Programmed' && it.status === 'False' && isCurrent(it, resource),
  );
}

function wordsOf({ reason, message }: WrittenCondition): string {
  return printable(`it is not programmed: ${(message === '' ? reason : message).replace(/\.?$/, '.')}`);
}
