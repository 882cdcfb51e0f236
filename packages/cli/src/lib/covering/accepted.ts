import { readFile } from 'node:fs/promises';
import type { CoverageRow } from '@policy-machinery/guarantees/coverage';
import { type ConcernName, concernNames } from '@policy-machinery/policy-kind';
import { messageOf } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import { parse } from 'yaml';
import { array, literal, enum as oneOf, prettifyError, strictObject, string } from 'zod';
import { UsageError } from '../model/usage-error.ts';

/** The annotation of a route or Gateway that accepts missing concerns: `authentication: public health checks`, one in each line. */
export const acceptAnnotation = 'coverage.policy-machinery/accept';

/** The annotation of a Gateway that requires further concerns of its requests: `rate-limit, waf`. */
export const requireAnnotation = 'coverage.policy-machinery/require';

const name = string().min(1);

/** A concern that some requests need not meet. All fields that are set must match. */
const acceptance = strictObject({
  concern: oneOf(concernNames),
  route: name.optional(),
  gateway: name.optional(),
  hostname: name.optional(),
  reason: name,
}).refine(({ route, gateway, hostname }) => [route, gateway, hostname].some((it) => it !== undefined), {
  error: 'name a route, a gateway or a hostname',
});

const file = strictObject({
  apiVersion: literal('policy-machinery/v1alpha1'),
  kind: literal('CoverageAcceptance'),
  accepted: array(acceptance),
});

/** An entry of a file: which requests need not meet a concern, and why. */
export type Acceptance = (typeof file)['_zod']['output']['accepted'][number];

/**
 * Reads the files of `--accept`.
 *
 * @param paths The files.
 * @returns Their entries. Rejects with a {@link UsageError} if a file cannot be read or has an entry without a reason.
 */
export async function readAcceptances(paths: readonly string[]): Promise<readonly Acceptance[]> {
  const all: Acceptance[] = [];
  for (const path of paths) {
    try {
      const read = file.safeParse(parse(await readFile(path, 'utf8')));
      if (!read.success) throw new UsageError(prettifyError(read.error));
      all.push(...read.data.accepted);
    } catch (error) {
      throw new UsageError(`--accept ${path} cannot be read: ${messageOf(error)}`);
    }
  }
  return all;
}

/** Why requests need not meet a concern. */
export interface Accepted {
  readonly reason: string;
  /** The entry of a file; `undefined` for an annotation. */
  readonly entry?: Acceptance;
}

/** Returns why the requests of a row need not meet a concern; `undefined` if no reason is accepted. */
export type AcceptedIn = (row: CoverageRow, concern: ConcernName) => Accepted | undefined;

/**
 * Returns a function that finds why requests need not meet a concern: by an annotation of their route or Gateway, or by an entry of a file.
 *
 * @param entries The entries of files.
 */
export function acceptedBy(entries: readonly Acceptance[]): AcceptedIn {
  return ({ route, gateway, hostnames }, concern) => {
    const noted = [route, gateway].map((target) => annotated(target, concern)).find((reason) => reason !== undefined);
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

function annotated({ resource }: TargetNode, concern: ConcernName): string | undefined {
  const lines = resource.metadata.annotations?.[acceptAnnotation]?.split('\n') ?? [];
  const found = lines.map((line) => line.split(':')).find(([name = '']) => name.trim() === concern);
  const reason = found?.slice(1).join(':').trim();
  return reason === '' ? undefined : reason;
}

/** Returns the concerns that a Gateway requires by annotation. Names that do not exist are left out. */
export function requiredBy({ resource }: TargetNode): readonly ConcernName[] {
  const names = resource.metadata.annotations?.[requireAnnotation]?.split(',').map((name) => name.trim()) ?? [];
  return concernNames.filter((concern) => names.includes(concern));
}

/** Returns `namespace/name` of an object. */
export function nameOf({ object: { ref } }: TargetNode): string {
  return ref.namespace === undefined ? ref.name : `${ref.namespace}/${ref.name}`;
}
