/** The rule of Kubernetes for the name of a condition or a reason. */
export interface NameRule {
  readonly maxLength: number;
  readonly pattern: RegExp;
}

/** The type of a condition: a label key. */
export const typeRule: NameRule = {
  maxLength: 316,
  pattern:
    /^(?:[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/)?(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/,
};

/** The reason of a condition: one word, so never `namespace/name`. */
export const reasonRule: NameRule = { maxLength: 1024, pattern: /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/ };

/** Returns why a name cannot be the type of a condition; `undefined` if it can. */
export function typeFault(name: string): string | undefined {
  return keepsTo(name, typeRule) ? undefined : `"${name}" is not a condition type; write it like a label key`;
}

/** Returns why a word cannot be the reason of a condition; `undefined` if it can. */
export function reasonFault(word: string): string | undefined {
  if (keepsTo(word, reasonRule)) return undefined;
  return `"${word}" is not a reason; write one word that begins with a letter: PolicyConflicted`;
}

export function keepsTo(name: string, { maxLength, pattern }: NameRule): boolean {
  return name.length <= maxLength && pattern.test(name);
}
