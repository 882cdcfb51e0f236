import { customResourceDefinition } from '@policy-machinery/crd';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import { formatIssue, groupOf, PolicyMachineryError } from '@policy-machinery/resource';
import { ApiObject, type ApiObjectMetadata } from 'cdk8s';
import type { Construct } from 'constructs';

/** What a policy is attached to: an object of the chart, whole or a section. */
export interface PolicyTarget {
  readonly on: ApiObject;
  /** A listener of a Gateway, a rule of a route. */
  readonly section?: string;
}

/** What a policy says, typed by its kind. */
export interface PolicyProps<Spec> {
  readonly metadata?: ApiObjectMetadata;
  readonly targets: readonly PolicyTarget[];
  readonly defaults?: Spec;
  readonly overrides?: Spec;
}

/** The constructs of a kind. */
export interface PolicyConstructs<Spec> {
  /** The CustomResourceDefinition. */
  readonly Definition: new (
    scope: Construct,
    id: string,
  ) => ApiObject;
  /** A policy. Throws the error `invalid-policy`, if the kind would refuse the policy. */
  readonly Policy: new (
    scope: Construct,
    id: string,
    props: PolicyProps<Spec>,
  ) => ApiObject;
}

/**
 * Returns the constructs of a declared kind of policies with defaults and overrides: its CustomResourceDefinition, and policies with a typed spec.
 *
 * @param kind The kind.
 */
export function constructsOf<Spec>(kind: PolicyKind<Spec>): PolicyConstructs<Spec> {
  const apiVersion = `${kind.group}/${kind.version}`;

  class Definition extends ApiObject {
    constructor(scope: Construct, id: string) {
      const { apiVersion, kind: type, metadata, spec } = customResourceDefinition(kind).definition;
      super(scope, id, {
        apiVersion,
        kind: type,
        metadata: { name: metadata.name, labels: metadata.labels ?? {} },
        spec,
      });
    }
  }

  class Policy extends ApiObject {
    constructor(scope: Construct, id: string, { metadata = {}, targets, defaults, overrides }: PolicyProps<Spec>) {
      const spec = {
        targetRefs: targets.map(referenceTo),
        ...(defaults === undefined ? {} : { defaults }),
        ...(overrides === undefined ? {} : { overrides }),
      };
      super(scope, id, { apiVersion, kind: kind.kind, metadata, spec });
      const { issues } = kind.read(this.toJson());
      const errors = issues.filter(({ severity }) => severity === 'error');
      if (errors.length > 0) throw new PolicyMachineryError('invalid-policy', errors.map(formatIssue).join('\n'));
    }
  }

  return { Definition, Policy };
}

function referenceTo({ on, section }: PolicyTarget) {
  const ref = { group: groupOf(on.apiVersion), kind: on.kind, name: on.name };
  return section === undefined ? ref : { ...ref, sectionName: section };
}
