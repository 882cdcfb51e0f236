import type { CoverageRow } from '@policy-machinery/guarantees/coverage';
import { type ConcernName, concernNames } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';

/** The annotation of a route or Gateway that accepts missing concerns: `authentication: public health checks`, one in each line. */
export const acceptAnnotation = 'coverage.policy-machinery/accept';

/** The annotation of a Gateway that requires further concerns of its requests: `rate-limit, waf`. */
export const requireAnnotation = 'coverage.policy-machinery/require';

/** An entry of a file: which requests need not meet a concern, and why. All fields that are set must match. */
export interface Acceptance {
  readonly concern: ConcernName;
  readonly route?: string | undefined;
  readonly gateway?: string | undefined;
  readonly hostname?: string | undefined;
  readonly reason: string;
}

/** Why requests need not meet a concern. */
export interface Accepted {
  readonly reason: string;
  /** The entry of a file; `undefined` for an annotation. */
  readonly entry?: Acceptance;
}

/** Returns why the requests of a row need not meet a concern; `undefined` if no reason is accepted. */
export type AcceptedIn = (row: CoverageRow, concern: ConcernName) => Accepted | undefined;

/** The objects before a change, by locator: acceptances that the change adds do not count, and requirements that it removes still do. */
export type Base = ReadonlyMap<string, KubernetesObject>;

/**
 * Returns a function that finds why requests need not meet a concern: by an annotation of their route or Gateway, or by an entry of a file.
 *
 * @param entries The entries of files.
 * @param base The objects before the change. Default: nothing changes.
 */
export function acceptedBy(entries: readonly Acceptance[], base?: Base): AcceptedIn {
  return ({ route, gateway, hostnames }, concern) => {
    const noted = [route, gateway]
      .filter(({ object }) => base === undefined || annotated(base.get(object.locator), concern) !== undefined)
      .map(({ resource }) => annotated(resource, concern))
      .find((reason) => reason !== undefined);
    if (noted !== undefined) return { reason: noted };
    const entry = entries.find(
      (it) =>
        it.concern === concern &&
        (it.route === undefined || it.route === nameOf(route)) &&
        (it.gateway === undefined || it.gateway === nameOf(gateway)) &&
        (it.hostname === undefined || (hostnames.length === 1 && it.hostname === hostnames[0])),
    );
    return entry && { reason: entry.reason, entry };
  };
}

function annotated(object: KubernetesObject | undefined, concern: ConcernName): string | undefined {
  const lines = noteLines(object?.metadata.annotations?.[acceptAnnotation]);
  return lines.find(({ name }) => name === concern)?.reason || undefined;
}

/** Returns the lines of an annotation that accepts something, `overridden: the default may lose`: the reason is empty if it is missing. */
export function noteLines(text = ''): readonly { readonly name: string; readonly reason: string }[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [name = '', ...reason] = line.split(':');
    return { name: name.trim(), reason: reason.join(':').trim() };
  });
}

/** Returns the concerns that a Gateway requires by annotation. Names that do not exist are left out. */
export function requiredBy({ resource, object }: TargetNode, base?: Base): readonly ConcernName[] {
  const objects = [resource, base?.get(object.locator)];
  const names = objects.flatMap((each) => requiredNames(each?.metadata.annotations?.[requireAnnotation]));
  return concernNames.filter((concern) => names.includes(concern));
}

/** Returns the names in the annotation of a Gateway that requires concerns. */
export function requiredNames(text = ''): readonly string[] {
  return text.split(',').flatMap((name) => name.trim() || []);
}

/** Returns `namespace/name` of an object. */
export function nameOf({ object: { ref } }: TargetNode): string {
  return ref.namespace === undefined ? ref.name : `${ref.namespace}/${ref.name}`;
}
