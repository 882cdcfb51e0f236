import type { KubernetesObject } from '@policy-machinery/resource';

/** An object with its file. */
export interface ObjectInFile {
  readonly object: KubernetesObject;
  readonly source: string;
}
