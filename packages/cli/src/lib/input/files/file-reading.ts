import type { Issue, KubernetesObject } from '@policy-machinery/resource';
import type { Finding } from '../../model/answer.ts';
import type { Unrendered } from '../../model/unrendered.ts';

/** Objects that were read from texts, with the findings about these texts. */
export interface FileReading {
  readonly objects: readonly KubernetesObject[];
  readonly issues: readonly Finding[];
  /** Returns an issue about one of the objects, with its position in a file. */
  readonly locate: (issue: Issue) => Issue;
  /** The input that must be rendered before it is applied. */
  readonly unrendered: Unrendered;
}
