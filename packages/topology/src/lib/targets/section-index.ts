import type { JsonValue } from '@policy-machinery/resource';
import type { NamedSection } from '../model/reference.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import { none } from '../support/nothing.ts';

/** The sections of one resource with many, by name and by the values of their fields. Each index is built on first use. */
export class SectionIndex<Section extends { readonly section: NamedSection }> {
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

  /** Returns the sections with a value in a field, in their order. */
  withField(key: string, value: JsonValue): readonly Section[] {
    return getOrInsert(this.#byField, key, () => this.#byValueOf(key)).get(value) ?? none;
  }

  #byValueOf(key: string): ReadonlyMap<JsonValue | undefined, readonly Section[]> {
    const byValue = new Map<JsonValue | undefined, Section[]>();
    for (const section of this.sections)
      getOrInsert(byValue, section.section.value[key], (): Section[] => []).push(section);
    return byValue;
  }
}
