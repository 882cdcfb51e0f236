import { type KubernetesObject, PolicyMachineryError } from '@policy-machinery/resource';
import { isEquivalent } from '../equivalent.ts';
import type { StatusWrite } from '../status/status-write.ts';

/** The response of the API server to a write: the object, or its metadata. */
export interface WrittenObject {
  readonly metadata: { readonly resourceVersion?: string };
}

/** A write that the API server has accepted. */
interface Taken {
  readonly write: StatusWrite;
  /** The object that the write was planned for. */
  readonly read: KubernetesObject;
  /** The resource version that it produced, if known. */
  readonly version: string | undefined;
}

/** The writes in flight, and the accepted ones that the topology does not show yet. */
export class SentWrites {
  readonly #read = new WeakMap<StatusWrite, KubernetesObject>();
  readonly #underWay = new Map<string, StatusWrite>();
  readonly #taken = new Map<string, Taken>();

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

  /** Forgets the writes if the topology shows their result, or a newer version. O(accepted writes). */
  forgetShown(resourceAt: (locator: string) => KubernetesObject | undefined): void {
    for (const [locator, taken] of this.#taken) {
      const present = resourceAt(locator);
      if (present === undefined || !isBehind(present, taken)) this.#taken.delete(locator);
    }
  }

  /** Returns whether a write need not be sent: a request for its object is in flight, or the API server has accepted the same write. */
  covers(write: StatusWrite): boolean {
    const taken = this.#taken.get(write.locator);
    return this.#underWay.has(write.locator) || (taken !== undefined && isSameWrite(taken.write, write));
  }

  /** The locators of objects that the topology does not show as the API server has them. */
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

/** Returns whether an object is older than the result of a write. */
function isBehind(present: KubernetesObject, { read, version }: Taken): boolean {
  const { uid, resourceVersion } = present.metadata;
  if (uid !== read.metadata.uid) return false; // Another object of the same name.
  if (present === read) return true;
  if (resourceVersion === read.metadata.resourceVersion && isEquivalent(present, read)) return true;
  return isOlderVersion(resourceVersion, version);
}

/** Returns whether a resource version is older than another one. Versions that are not numbers cannot be compared. */
function isOlderVersion(version: string | undefined, other: string | undefined): boolean {
  if (version === undefined || other === undefined || !number.test(version) || !number.test(other)) return false;
  return version.length === other.length ? version < other : version.length < other.length;
}

const number = /^[1-9]\d*$/;

/** Returns whether two writes have the same content, whenever and for whichever version of the object they were planned. */
function isSameWrite(write: StatusWrite, other: StatusWrite): boolean {
  return write.subresource === other.subresource && saidBy(write) === saidBy(other);
}

function saidBy({ apply }: StatusWrite): string {
  return JSON.stringify(apply, (key, value) => (passing.has(key) ? undefined : value));
}

const passing: ReadonlySet<string> = new Set(['lastTransitionTime', 'resourceVersion']);
