import { structuralChecks } from '@policy-machinery/known-kinds/inner';
import {
  formatLocator,
  formatPointer,
  type Issue,
  isJsonObject,
  type KubernetesObject,
  locatorOf,
} from '@policy-machinery/resource';
import { guaranteeKind, guaranteeSpecSchema } from './definition.ts';
import type { Guarantee } from './guarantee.ts';

/** A guarantee that was read from a resource. */
export interface GuaranteeReading {
  /** The guarantee; `undefined` if there are issues. */
  readonly guarantee: Guarantee | undefined;
  /** The faults, with JSON Pointers from the root of the resource. */
  readonly issues: readonly Issue[];
}

const apiVersion = `${guaranteeKind.group}/${guaranteeKind.version}`;
const fields: readonly string[] = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];

/** Returns whether a resource is a Guarantee, of any version. */
export function isGuarantee({ apiVersion: own, kind }: KubernetesObject): boolean {
  return kind === guaranteeKind.kind && own.split('/')[0] === guaranteeKind.group;
}

/**
 * Reads a guarantee from a resource of the kind `Guarantee`: a document of a file, or an object of the cluster.
 *
 * @returns The guarantee, with the name of the resource; or the faults. Unknown fields are errors. Expressions are checked later, against the
 * existing policy kinds.
 */
export function readGuarantee(resource: KubernetesObject): GuaranteeReading {
  const faults = [...headFaults(resource), ...specFaults(resource.spec)];
  const locator = locatorOf(resource);
  const issues = faults.map(({ message, pointer }) => issueOn(locator, message, pointer));
  const { spec } = resource;
  if (issues.length > 0 || !isSound(spec)) return { guarantee: undefined, issues };
  return { guarantee: { ...spec, name: resource.metadata.name }, issues };
}

function isSound(spec: unknown): spec is Omit<Guarantee, 'name'> {
  return specFaults(spec).length === 0;
}

interface GuaranteeFault {
  readonly message: string;
  /** From the root of the resource. */
  readonly pointer: string;
}

function headFaults(resource: KubernetesObject): readonly GuaranteeFault[] {
  const { metadata, apiVersion: own, kind } = resource;
  if (own !== apiVersion || kind !== guaranteeKind.kind) {
    const message = `is a ${kind} of ${own}, and no guarantee; write "apiVersion: ${apiVersion}" and "kind: Guarantee"`;
    return [{ message, pointer: '/kind' }];
  }
  const unknown = Object.keys(resource).filter((key) => !fields.includes(key));
  return [
    ...unknown.map((key) => ({
      message: `the field ${key} is unknown; remove it, or move it into spec`,
      pointer: formatPointer([key]),
    })),
    ...(metadata.namespace === undefined
      ? []
      : [{ message: 'guarantees are cluster-scoped; remove the namespace', pointer: '/metadata/namespace' }]),
  ];
}

const checkSpec = structuralChecks(guaranteeSpecSchema);

/**
 * Returns the faults of the spec of a guarantee, apart from its expressions.
 *
 * @param spec The spec, from any source.
 * @returns The faults, with JSON Pointers that begin with `/spec`.
 */
export function specFaults(spec: unknown): readonly GuaranteeFault[] {
  if (!isJsonObject(spec)) return [{ message: 'the spec is missing; write the rule in spec.holds', pointer: '' }];
  return checkSpec(spec).map(({ message, pointer }) => ({ message, pointer: `/spec${pointer}` }));
}

/**
 * Returns an issue about a guarantee.
 *
 * @param resource The locator of the guarantee.
 * @param pointer JSON Pointer from the root of the resource.
 */
export function issueOn(resource: string, message: string, pointer: string): Issue {
  return { code: 'invalid-guarantee', severity: 'error', message, resource, pointer };
}

export function locatorOfGuarantee({ name }: Pick<Guarantee, 'name'>): string {
  return formatLocator({ ...guaranteeKind, name });
}
