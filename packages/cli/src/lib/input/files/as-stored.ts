import { type Issue, type KubernetesObject, type ReleasedDefinition, storedObjects } from '@policy-machinery/resource';
import type { Finding } from '../../model/answer.ts';

/** Objects, and the findings about their texts. */
interface Reading {
  readonly objects: readonly KubernetesObject[];
  readonly issues: readonly Finding[];
  readonly locate: (issue: Issue) => Issue;
}

/**
 * Returns objects of files as the API server stores them.
 *
 * @param reading The objects. Objects that were read together with their definition are so already.
 * @param definitions Resources with further CustomResourceDefinitions: of `--kinds`, of other files, or of the cluster.
 * @param released The definitions of releases, for kinds that none of these defines.
 * @returns The objects, with a finding for each field that is dropped, and for each that a release does not have.
 */
export function asStored<Of extends Reading>(
  reading: Of,
  definitions: readonly KubernetesObject[],
  released: readonly ReleasedDefinition[],
): Of {
  const store = storedObjects(definitions, released);
  const stored = reading.objects.map(store);
  const warnings = stored.flatMap((each) => each.warnings.map(reading.locate));
  return { ...reading, objects: stored.map(({ object }) => object), issues: [...reading.issues, ...warnings] };
}
