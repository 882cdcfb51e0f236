import type { JsonValue } from '@policy-machinery/resource';
import type { NamedSection } from '../model/reference.ts';

/** What goes by the name of a section, and has its value. */
interface Indexed {
  readonly section: NamedSection;
}

const none: readonly never[] = [];

/** The many sections of one resource, by name and by the values of their fields. Each index is made when it is first used. */
export class SectionIndex<Section extends Indexed> {
  readonly sections: readonly Section[];
  readonly #byField = new Map<string, ReadonlyMap<JsonValue | undefined, readonly Section[]>>();
  #byName: ReadonlyMap<string, Section> | undefined;

  constructor(sections: readonly Section[]) {
    this.sections = sections;
  }

  named(name: string): Section | undefined {
    this.#byName ??= new Map(this.sections.map((section) => [section.section.name, section]));
    return this.#byName.get(name);
  }

  /** Those that have this value in this field, in their order. */
  withField(key: string, value: JsonValue): readonly Section[] {
    const byValue = this.#byField.get(key) ?? byValueOf(this.sections, key);
    this.#byField.set(key, byValue);
    return byValue.get(value) ?? none;
  }
}

function byValueOf<Section extends Indexed>(sections: readonly Section[], key: string) {
  const byValue = new Map<JsonValue | undefined, Section[]>();
  for (const section of sections) {
    const value = section.section.value[key];
    const there = byValue.get(value);
    if (there === undefined) byValue.set(value, [section]);
    else there.push(section);
  }
  return byValue;
}
