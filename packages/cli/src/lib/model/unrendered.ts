/** The parts of objects that a renderer would change: their place and name, or also their content. */
export type Change = 'place' | 'content';

/** A reason why files differ from the applied objects. */
export interface Sign {
  /** Its name for people: `targetNamespace`. */
  readonly what: string;
  readonly source: string;
  /** Its effect on an object. Default: it changes the object. */
  readonly effect?: 'may leave out';
}

/** Facts about objects that are not as they will be applied. */
export interface Unrendered {
  /** Everything that was noticed, in the order of files. */
  readonly signs: readonly Sign[];
  /** Input that may contain any objects, such as templates of charts. */
  readonly unknown: readonly Sign[];
  /** Returns the changes of a renderer to an object; `undefined` for none. */
  readonly changeOf: (locator: string) => Change | undefined;
  /** Returns that change, as part of a sentence. */
  readonly causeOf: (locator: string) => string | undefined;
  /** Returns the possible source of an object that is not in the input, as part of a sentence. */
  readonly originOf: (locator: string) => string | undefined;
  /** Returns whether an object that is not in the input may be applied. */
  readonly mayExist: (locator: string) => boolean;
}

/** Files that are applied unchanged. */
export const rendered: Unrendered = {
  signs: [],
  unknown: [],
  changeOf: () => undefined,
  causeOf: () => undefined,
  originOf: () => undefined,
  mayExist: () => false,
};

/**
 * Returns facts about objects that may take each other's place.
 *
 * @param below The objects that were there.
 * @param above The objects that take their place.
 */
export function bothUnrendered(below: Unrendered, above: Unrendered): Unrendered {
  return {
    signs: [...below.signs, ...above.signs],
    unknown: [...below.unknown, ...above.unknown],
    changeOf: (locator) => above.changeOf(locator) ?? below.changeOf(locator),
    causeOf: (locator) => above.causeOf(locator) ?? below.causeOf(locator),
    originOf: (locator) => above.originOf(locator) ?? below.originOf(locator),
    mayExist: (locator) => above.mayExist(locator) || below.mayExist(locator),
  };
}
