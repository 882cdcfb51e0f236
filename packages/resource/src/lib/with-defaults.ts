/** Options with all properties `Name` present: with their defaults. */
export type Complete<Options, Name extends keyof Options = keyof Options> = Omit<Options, Name> & {
  [Key in Name]-?: Exclude<Options[Key], undefined>;
};

/**
 * Returns options with defaults. A property that is absent or `undefined` has its default.
 *
 * @param defaults The defaults of the properties that have one.
 * @returns A new object.
 */
export function withDefaults<Options extends object, Name extends keyof Options>(
  options: Options,
  defaults: { readonly [Key in Name]-?: Exclude<Options[Key], undefined> },
): Complete<Options, Name> {
  const present = Object.entries(options).filter(
    ([name, value]) => value !== undefined || !Object.hasOwn(defaults, name),
  );
  return { ...defaults, ...Object.fromEntries(present) } as Complete<Options, Name>;
}
