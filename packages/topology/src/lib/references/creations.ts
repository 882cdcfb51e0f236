import { type GroupKind, groupKindKey } from '@policy-machinery/resource';
import { type Creation, mayBeNamed } from '../model/creation.ts';
import { readSafely } from '../model/read-safely.ts';
import { isSectionKind } from '../model/target-kind.ts';
import type { TargetNode } from '../model/target-node.ts';
import { none } from '../support/nothing.ts';

/** Returns the resources that a controller creates for a resource; nothing if the resource cannot be read. */
export function creationsOf({ locator, kind, resource }: TargetNode): readonly Creation[] {
  if (isSectionKind(kind) || kind.creates === undefined) return none;
  const { creates } = kind;
  return readSafely(locator, [], () => [...creates(resource)]);
}

/** A resource that a controller may have created. */
export interface Sought extends GroupKind {
  /** `undefined` for any namespace. */
  readonly namespace: string | undefined;
  /** `undefined` for any name. */
  readonly name: string | undefined;
}

/** Returns whether a controller may create a resource for another one. */
export function isCreation(creation: Creation, creator: TargetNode, sought: Sought): boolean {
  if (groupKindKey(creation) !== groupKindKey(sought)) return false;
  if (sought.name !== undefined && !mayBeNamed(creation, sought.name)) return false;
  const namespace = creation.namespace ?? creator.ref.namespace;
  return namespace === undefined || sought.namespace === undefined || namespace === sought.namespace;
}
