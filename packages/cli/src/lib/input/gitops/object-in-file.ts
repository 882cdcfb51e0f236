import type { KubernetesObject } from '@policy-machinery/resource';

export interface ObjectInFile {
  readonly object: KubernetesObject;
  readonly source: string;
}
