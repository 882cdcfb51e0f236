// definition/: CustomResourceDefinitions. Takes a policy kind and returns its CRD: the structural schema of its spec in each form of its policies,
// CEL rules for targets and stanzas, and the schema of its status.

import type { PolicyKind, SpecShape } from '@policy-machinery/policy-kind';
import { type Issue, type JsonObject, type KubernetesObject, PolicyMachineryError } from '@policy-machinery/resource';
import { type StructuralOptions, structuralSchema } from '../structural/structural-schema.ts';
import { jsonSchemaOf } from './json-schema-of.ts';
import { nameFaults } from './names.ts';
import { specSchema } from './spec-schema.ts';
import { type StatusForm, statusSchemas } from './status-schema.ts';
import { targetFieldsOf } from './target-fields.ts';

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'integer' | 'number' | 'string' | 'boolean' | 'date';
  /** The JSONPath of its value: `.spec.request`. */
  readonly jsonPath: string;
  readonly description?: string;
  /** Columns with a priority above 0 are shown with `-o wide` only. Default 0. */
  readonly priority?: number;
}

/** The parts of a CustomResourceDefinition that the policy kind does not define. */
export interface CustomResourceDefinitionOptions extends StructuralOptions {
  /** The name in URLs. Default: `plural` of the kind. */
  readonly plural?: string | undefined;
  /** Default: the kind in lower case. */
  readonly singular?: string | undefined;
  /** Names for `kubectl`. Default none. */
  readonly shortNames?: readonly string[] | undefined;
  /** Groups of resources for `kubectl get`. Default none. */
  readonly categories?: readonly string[] | undefined;
  /** The description of the kind, for `kubectl explain`. Default: none. */
  readonly description?: string | undefined;
  /** Columns of `kubectl get` besides name, namespace and age. Default: none. */
  readonly columns?: readonly PrinterColumn[] | undefined;
  /** Labels in addition to the policy label. Default: none. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Default none. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Whether policies may have `targetRef` instead of `targetRefs`, as older ones do. Default: yes. */
  readonly targetRef?: boolean | undefined;
  /** Where conditions are; the option `rendering` of `planStatus`. Default `ancestors`. */
  readonly status?: StatusForm | undefined;
  /** The JSON Schema of the spec proper, as the policy writes it. Default: the one that the kind's Standard Schema returns. */
  readonly schema?: JsonObject | undefined;
}

/** A CustomResourceDefinition, as the API server takes it. */
export interface CustomResourceDefinition extends KubernetesObject {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly spec: JsonObject;
}

/** A CustomResourceDefinition, with issues about it. */
export interface CustomResourceDefinitionResult {
  readonly definition: CustomResourceDefinition;
  /** The constraints of the schema that the API server does not check, with JSON Pointers into the JSON Schema of the spec proper. */
  readonly issues: readonly Issue[];
}

/**
 * Returns the CustomResourceDefinition of a policy kind: the structural schema of its specs in its dialect, CEL rules for targets and
 * stanzas, the status subresource, the policy label.
 *
 * The API server will take every policy that the kind reads without issues, and refuse most others. A CEL rule costs no more
 * than the 16 targets of a policy squared.
 *
 * @param kind The policy kind.
 * @param options Names, columns, and other properties that the kind does not have.
 * @returns The definition, with all versions of the kind, which are served, and issues about constraints that it does not check. No part of it is shared.
 * @throws {PolicyMachineryError} `invalid-schema`, when the JSON Schema is not known or cannot be made structural: see
 * {@link structuralSchema}. `invalid-crd`, for names that the API server would refuse, and for stanza readers without a shape.
 * @example
 * ```ts
 * const { definition } = customResourceDefinition(TimeoutPolicy, { shortNames: ['tp'], categories: ['policies'] });
 * console.log(stringify(definition)); // of the package yaml
 * ```
 */
export function customResourceDefinition(
  kind: PolicyKind<unknown>,
  options: CustomResourceDefinitionOptions = {},
): CustomResourceDefinitionResult {
  const { labels, annotations = {} } = options;
  const names = namesOf(kind, options);
  const { group, version } = kind;
  const faults = nameFaults({ group, version, shortNames: [], categories: [], ...names }, annotations);
  if (faults.length > 0) throw new PolicyMachineryError('invalid-crd', `${kind.kind} cannot be defined`, faults);

  const issues: Issue[] = [];
  const spec = options.schema ?? jsonSchemaOf(kind.schema);
  const others = kind.otherVersions.map((other) => {
    return versionOf(other.version, other.spec === undefined ? spec : jsonSchemaOf(other.spec), kind, options, issues);
  });
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${names.plural}.${group}`,
      labels: { 'gateway.networking.k8s.io/policy': kind.policyClass, ...labels },
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    },
    spec: { group, names, scope: kind.scope, versions: [versionOf(version, spec, kind, options, issues), ...others] },
  };
  issues.push(...conversionIssues(kind));
  return { definition: unshared(definition as unknown as CustomResourceDefinition), issues };
}

function namesOf({ kind, plural }: PolicyKind<unknown>, options: CustomResourceDefinitionOptions) {
  const { shortNames = [], categories = [] } = options;
  return {
    kind,
    listKind: `${kind}List`,
    plural: options.plural ?? plural,
    singular: options.singular ?? kind.toLowerCase(),
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
  };
}

/** Returns a version of a definition, and adds an issue for each rule that the API server does not check. */
function versionOf(
  name: string,
  schema: JsonObject,
  kind: PolicyKind<unknown>,
  options: CustomResourceDefinitionOptions,
  issues: Issue[],
) {
  const { columns = [], status = 'ancestors', description } = options;
  return {
    name,
    served: true,
    storage: name === kind.storedVersion,
    additionalPrinterColumns: [...columns, age],
    subresources: { status: {} },
    schema: {
      openAPIV3Schema: {
        type: 'object',
        ...(description === undefined ? {} : { description }),
        required: ['spec'],
        properties: {
          apiVersion: { type: 'string' },
          kind: { type: 'string' },
          metadata: { type: 'object' },
          spec: specOf(kind, schema, options, issues),
          status: statusSchemas[status],
        },
      },
    },
  };
}

/** Returns an issue about versions that need a webhook to convert them. */
function conversionIssues({ version, otherVersions }: PolicyKind<unknown>): readonly Issue[] {
  const converted = otherVersions.filter(({ convert }) => convert !== undefined).map((other) => other.version);
  if (converted.length === 0) return [];
  const names = [version, ...converted].join(', ');
  const message = `the API server serves every policy in ${names} without converting its spec; add spec.conversion with a webhook`;
  return [{ code: 'not-converted', severity: 'warning', message, pointer: '' }];
}

const age: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** Returns the structural schema of the spec, and adds an issue for each rule that the API server does not check. */
function specOf(
  kind: PolicyKind<unknown>,
  schema: JsonObject,
  options: CustomResourceDefinitionOptions,
  issues: Issue[],
): JsonObject {
  const proper = structuralSchema(schema, options);
  issues.push(...proper.issues);
  return specSchema(proper.schema, structuralShape(kind), targetFieldsOf(kind, options), (message) => {
    issues.push({ code: 'not-checked', severity: 'warning', message, pointer: '' });
  });
}

/** Returns the dialect of a kind, with structural schemas. */
function structuralShape({ kind, stanzas: { shape } }: PolicyKind<unknown>): SpecShape {
  if (shape === undefined) {
    const message = `The stanza reader of ${kind} does not describe its specs; give it a shape`;
    throw new PolicyMachineryError('invalid-crd', message);
  }
  const structural = (fields: SpecShape['fields']): SpecShape['fields'] => {
    const { properties = {} } = structuralSchema({ type: 'object', properties: fields }).schema;
    return properties as SpecShape['fields'];
  };
  return {
    ...shape,
    fields: structural(shape.fields),
    stanzas: shape.stanzas.map((stanza) => ({ ...stanza, fields: structural(stanza.fields) })),
  };
}

/** Returns a copy without shared parts, which would become anchors and aliases in YAML. */
const unshared = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));
