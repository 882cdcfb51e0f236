import type { JsonValue } from '@policy-machinery/resource';
import type { SectionTarget } from './target.ts';

const none: readonly never[] = [];

/** The many sections of one resource, by name and by the values of their fields. Each index is made when it is first used. */
export class SectionIndex {
  readonly sections: readonly SectionTarget[];
  readonly #byField = new Map<string, ReadonlyMap<JsonValue | undefined, readonly SectionTarget[]>>();
  #byName: ReadonlyMap<string, SectionTarget> | undefined;

  constructor(sections: readonly SectionTarget[]) {
    this.sections = sections;
  }

  named(name: string): SectionTarget | undefined {
    this.#byName ??= new Map(this.sections.map((section) => [section.section.name, section]));
    return this.#byName.get(name);
  }

  /** Those that have this value in this field, in their order. */
  withField(key: string, value: JsonValue): readonly SectionTarget[] {
    const byValue = this.#byField.get(key) ?? byValueOf(this.sections, key);
    this.#byField.set(key, byValue);
    return byValue.get(value) ?? none;
  }
}

function byValueOf(sections: readonly SectionTarget[], key: string) {
  const byValue = new Map<JsonValue | undefined, SectionTarget[]>();
  for (const section of sections) {
    const value = section.section.value[key];
    const there = byValue.get(value);
    if (there === undefined) byValue.set(value, [section]);
    else there.push(section);
  }
  return byValue;
}
