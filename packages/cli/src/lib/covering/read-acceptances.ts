import { readFile } from 'node:fs/promises';
import { concernNames } from '@policy-machinery/policy-kind';
import { messageOf } from '@policy-machinery/resource';
import { parse } from 'yaml';
import { array, literal, enum as oneOf, prettifyError, strictObject, string } from 'zod';
import { UsageError } from '../model/usage-error.ts';
import type { Acceptance } from './accepted.ts';

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

/**
 * Reads the files of `--accept`.
 *
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
