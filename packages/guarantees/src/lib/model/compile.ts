import { type CelExpression, type CelOptions, celExpressions } from '@policy-machinery/cel';
import { messageOf, PolicyMachineryError } from '@policy-machinery/resource';
import type { Guarantee, RequestSelector } from './guarantee.ts';
import { type Selection, selectionOf } from './selection.ts';
import { variablesFor } from './variables.ts';
import type { VerifiedKind } from './verified-kind.ts';

/** A selection with its expression. */
export interface CompiledSelection extends Selection {
  readonly where: CelExpression | undefined;
}

/** A guarantee that is ready to be verified. */
export interface CompiledGuarantee {
  readonly guarantee: Guarantee;
  readonly requests: CompiledSelection;
  readonly except: readonly CompiledSelection[];
  readonly holds: CelExpression;
  /** The paths that its expressions read: `policies`, `AuthPolicy`, `spec`. */
  readonly reads: readonly (readonly string[])[];
}

/** Limits for expressions. They may be longer than conditions of policies, and evaluate what a request meets. */
const limits: CelOptions = { characters: 4096, steps: 50_000 };

/** The maximal number of combinations of hostnames, paths and methods in one selector. */
const maxCells = 1000;

/**
 * Compiles a guarantee, and checks it against the policy kinds.
 *
 * @param guarantee The guarantee.
 * @param kinds The policy kinds.
 * @returns The compiled guarantee.
 * @throws {PolicyMachineryError} `invalid-guarantee`, with the field that is faulty: an expression that cannot be parsed, or that reads a kind or
 * field that does not exist.
 */
export function compileGuarantee(guarantee: Guarantee, kinds: readonly VerifiedKind[]): CompiledGuarantee {
  const compile = celExpressions(variablesFor(kinds, guarantee), limits);
  const expression = (field: string, text: string): CelExpression => {
    try {
      return compile(text);
    } catch (error) {
      throw invalidGuarantee(guarantee, field, messageOf(error), error);
    }
  };
  const selection = (field: string, selector: RequestSelector | undefined): CompiledSelection => {
    const { hostnames = [''], paths = [''], methods = [''], where } = selector ?? {};
    if (hostnames.length * paths.length * methods.length > maxCells) {
      const message = `hostnames, paths and methods have more than ${maxCells} combinations; split the guarantee`;
      throw invalidGuarantee(guarantee, field, message);
    }
    return { ...selectionOf(selector), where: where === undefined ? undefined : expression(`${field}/where`, where) };
  };
  const requests = selection('/requests', guarantee.requests);
  const except = (guarantee.except ?? []).map((selector, index) => selection(`/except/${index}`, selector));
  const holds = expression('/holds', guarantee.holds);
  const all = [holds, requests.where, ...except.map(({ where }) => where)].filter((it) => it !== undefined);
  return { guarantee, requests, except, holds, reads: all.flatMap(({ reads }) => reads) };
}

function invalidGuarantee(
  { name }: Guarantee,
  pointer: string,
  message: string,
  cause?: unknown,
): PolicyMachineryError {
  const issue = { code: 'invalid-guarantee', severity: 'error', message, pointer } as const;
  return new PolicyMachineryError(
    'invalid-guarantee',
    `The guarantee ${name} is invalid at ${pointer}: ${message}`,
    [issue],
    {
      cause,
    },
  );
}
