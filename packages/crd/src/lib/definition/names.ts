import type { Issue } from '@policy-machinery/resource';

/** The names that a CustomResourceDefinition gives to a kind. */
export interface ResourceNames {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** Returns the faults of names that the API server would refuse, with JSON Pointers into the CustomResourceDefinition. */
export function nameFaults(names: ResourceNames, annotations: Readonly<Record<string, string>>): readonly Issue[] {
  const { group, version, kind, plural, singular, shortNames, categories } = names;
  const labels: readonly (readonly [pointer: string, name: string])[] = [
    ['/spec/versions/0/name', version],
    ['/spec/names/kind', kind.toLowerCase()],
    ['/spec/names/plural', plural],
    ['/spec/names/singular', singular],
    ...shortNames.map((name, index) => [`/spec/names/shortNames/${index}`, name] as const),
    ...categories.map((name, index) => [`/spec/names/categories/${index}`, name] as const),
  ];
  const fault = (message: string, pointer: string): Issue => ({
    code: 'invalid-name',
    severity: 'error',
    message,
    pointer,
  });
  return [
    ...labels
      .filter(([, name]) => name.length > 63 || !/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(name))
      .map(([pointer, name]) =>
        fault(`"${name}" must be letters, digits and "-", at most 63, beginning with a letter`, pointer),
      ),
    ...(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/.test(group)
      ? []
      : [fault(`"${group}" must be a domain with a dot, such as policies.example.com`, '/spec/group')]),
    ...(/(^|\.)(k8s|kubernetes)\.io$/.test(group) && annotations[approval] === undefined
      ? [fault(`${group} is Kubernetes' own; take another group, or say in ${approval} who approved it`, '/spec/group')]
      : []),
  ];
}

const approval = 'api-approved.kubernetes.io';
