import { type KubernetesObject, PolicyMachineryError } from '@policy-machinery/resource';
import { isDeepEqual } from '../deep-equal.ts';
import type { StatusWrite } from '../status/status-write.ts';

/** What the API server answers to a write: the object as it is now, or its metadata. */
export interface WrittenObject {
  readonly metadata: { readonly resourceVersion?: string };
}

/** A write that the API server has taken. */
interface Taken {
  readonly write: StatusWrite;
  /** The object that it was planned for. */
  readonly read: KubernetesObject;
  /** The version of the object that it has made, if that is known. */
  readonly version: string | undefined;
}

/** The writes that are under way, and those that the API server has taken and that the topology does not show yet. */
export class SentWrites {
  readonly #read = new WeakMap<StatusWrite, KubernetesObject>();
  readonly #underWay = new Map<string, StatusWrite>();
  readonly #taken = new Map<string, Taken>();

  /** Remembers for which object a write is planned. */
  planned(write: StatusWrite, read: KubernetesObject): void {
    this.#read.set(write, read);
  }

  /** @throws {PolicyMachineryError} `unknown-write`, as the other methods that are given a write. */
  started(write: StatusWrite): void {
    this.#readFor(write);
    this.#underWay.set(write.locator, write);
  }

  done(write: StatusWrite, result: WrittenObject | undefined): void {
    const { locator } = write;
    const read = this.#readFor(write);
    this.#finish(write);
    this.#taken.set(locator, { write, read, version: result?.metadata.resourceVersion });
  }

  failed(write: StatusWrite): void {
    this.#readFor(write);
    this.#finish(write);
  }

  /** Forgets the writes that the topology shows, or something newer. O(writes that it has not shown). */
  forgetShown(resourceAt: (locator: string) => KubernetesObject | undefined): void {
    for (const [locator, taken] of this.#taken) {
      const present = resourceAt(locator);
      if (present === undefined || !isBehind(present, taken)) this.#taken.delete(locator);
    }
  }

  /** Whether a write need not be sent: a request for its object is under way, or the API server has taken the same write already. */
  covers(write: StatusWrite): boolean {
    const taken = this.#taken.get(write.locator);
    return this.#underWay.has(write.locator) || (taken !== undefined && isSameWrite(taken.write, write));
  }

  /** Locators of the objects that the topology does not show as the API server has them. */
  get locators(): readonly string[] {
    return [...this.#underWay.keys(), ...this.#taken.keys()];
  }

  #finish(write: StatusWrite): void {
    if (this.#underWay.get(write.locator) === write) this.#underWay.delete(write.locator);
  }

  #readFor(write: StatusWrite): KubernetesObject {
    const read = this.#read.get(write);
    if (read !== undefined) return read;
    const message = `The write to ${write.locator} is not from this planner; pass a write that its plan() returned`;
    throw new PolicyMachineryError('unknown-write', message);
  }
}

/** Whether an object is older than what a write has made of it. */
function isBehind(present: KubernetesObject, { read, version }: Taken): boolean {
  const { uid, resourceVersion } = present.metadata;
  if (uid !== read.metadata.uid) return false; // Another object of the same name.
  if (present === read) return true;
  if (resourceVersion === read.metadata.resourceVersion && isDeepEqual(present, read)) return true;
  return isOlderVersion(resourceVersion, version);
}

/** Whether a resource version is older than another one. Those that are no numbers cannot be compared. */
function isOlderVersion(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined || !number.test(one) || !number.test(other)) return false;
  return one.length === other.length ? one < other : one.length < other.length;
}

const number = /^[1-9]\d*$/;

/** Whether two writes say the same, whenever and for whichever version of the object they were planned. */
function isSameWrite(one: StatusWrite, other: StatusWrite): boolean {
  return one.subresource === other.subresource && saidBy(one) === saidBy(other);
}

function saidBy({ apply }: StatusWrite): string {
  return JSON.stringify(apply, (key, value) => (passing.has(key) ? undefined : value));
}

const passing: ReadonlySet<string> = new Set(['lastTransitionTime', 'resourceVersion']);
