import { customResourceDefinition } from '@policy-machinery/crd';
import { stringify } from 'yaml';
import { RateLimitPolicy, TimeoutPolicy } from '../../quickstart/src/policy-kinds.ts';

/** The manifests of the CustomResourceDefinitions of the controller's kinds, by file name. */
export const definitions: ReadonlyMap<string, string> = new Map(
  [TimeoutPolicy, RateLimitPolicy].map((kind) => {
    const { definition } = customResourceDefinition(kind, { categories: ['policies'] });
    return [`${kind.plural}.yaml`, stringify(definition)] as const;
  }),
);
