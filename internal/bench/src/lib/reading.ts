import { parseManifests } from '@policy-machinery/resource/manifests';
import type { Workload } from '@policy-machinery/workload';
import { stringify } from 'yaml';
import { medians, repeated, timedOnCpu } from './measure.ts';

/** The CPU time that manifests take to be read, in milliseconds. */
export interface Reading {
  /** A document for each resource. */
  readonly yaml: number;
  /** One list. */
  readonly json: number;
}

/** Reads all resources of a workload from both formats, by turns. */
export function measureReading({ resources }: Workload): Reading {
  const items: readonly unknown[] = JSON.parse(JSON.stringify(resources));
  const json = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const yaml = items.map((item) => stringify(item, { indentSeq: false, lineWidth: 0 })).join('---\n');
  const read = (text: string): number => timedOnCpu(() => parseManifests(text)).ms;
  return medians(repeated(7, () => ({ json: read(json), yaml: read(yaml) })));
}
