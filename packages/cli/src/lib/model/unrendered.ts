/** What a renderer would change: where objects are and what they are called, or also what they say. */
export type Change = 'place' | 'content';

/** What keeps files from being what is applied. */
export interface Sign {
  /** What it is, as people name it: `targetNamespace`. */
  readonly what: string;
  readonly source: string;
  /** What it does to an object. Default: it changes the object. */
  readonly effect?: 'may leave out';
}

/** Facts about objects that are not as they will be applied. */
export interface Unrendered {
  /** Everything that was noticed, in the order of files. */
  readonly signs: readonly Sign[];
  /** What may contain any objects, such as templates of charts. */
  readonly unknown: readonly Sign[];
  /** Returns what a renderer changes about an object; `undefined` for nothing. */
  readonly changeOf: (locator: string) => Change | undefined;
  /** Returns what that change is, as part of a sentence. */
  readonly causeOf: (locator: string) => string | undefined;
  /** Returns what an object that is not in the input may come from, as part of a sentence. */
  readonly originOf: (locator: string) => string | undefined;
  /** Returns whether an object that is not in the input may be in what is applied. */
  readonly mayExist: (locator: string) => boolean;
}

/** Files that are applied as they are. */
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
