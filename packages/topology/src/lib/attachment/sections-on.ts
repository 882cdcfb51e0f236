import type { Target, WholeTarget } from '../targets/target.ts';

/** Returns the sections of an object that have a port: listeners, and ports of Services. */
export function sectionsOn(port: number, object: WholeTarget | undefined): readonly Target[] {
  return object?.sections.filter(({ section }) => section.value.port === port) ?? [];
}
