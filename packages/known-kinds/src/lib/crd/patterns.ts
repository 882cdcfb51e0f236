import { format as formats } from '@cfworker/json-schema';
import { type Re2, re2 } from '@policy-machinery/cel/re2';

/** Moves of the engine for one spec: enough for 100,000 characters and a usual pattern. */
const movesPerSpec = 5_000_000;

/** The beginning of the format that stands for a pattern in a JSON Schema. */
const prefix = 'pattern ';

/**
 * The patterns of a definition, in the reading of the API server. Neither the author of the definition nor the author of a policy is
 * trusted with time.
 *
 * Validators of JSON Schema take a `pattern` for a regular expression of JavaScript, which may never end. So it becomes a `format`, and the
 * validator calls us for it.
 */
export class Patterns {
  readonly #compiled = new Map<string, Re2 | undefined>();
  readonly #formats: Record<string, (text: string) => boolean> = {};
  #movesLeft = 0;

  /** Returns whether a pattern can be checked: RE2 understands it, and it takes no unreasonable time. */
  isKnown(pattern: string): boolean {
    return this.#engineOf(pattern) !== undefined;
  }

  formatOf(pattern: string): string {
    const name = prefix + pattern;
    this.#formats[name] ??= (text) => this.#matches(pattern, text);
    return name;
  }

  /**
   * Runs a validator for one spec. Patterns that cannot be checked count as matched, and so do all after too many characters.
   *
   * @param validate Runs the validator.
   * @returns Its result.
   */
  during<Result>(validate: () => Result): Result {
    this.#movesLeft = movesPerSpec;
    Object.assign(formats, this.#formats);
    try {
      return validate();
    } finally {
      // The validator has one registry of formats for all schemas.
      for (const name of Object.keys(this.#formats)) delete formats[name];
    }
  }

  #matches(pattern: string, text: string): boolean {
    const engine = this.#engineOf(pattern);
    if (engine === undefined) return true;
    this.#movesLeft -= engine.movesFor(text);
    return this.#movesLeft < 0 || engine.matches(text) !== false;
  }

  #engineOf(pattern: string): Re2 | undefined {
    if (!this.#compiled.has(pattern)) this.#compiled.set(pattern, compiled(pattern));
    return this.#compiled.get(pattern);
  }
}

/** Returns the pattern that a format stands for; `undefined` for other formats. */
export function patternOf(format: unknown): string | undefined {
  return typeof format === 'string' && format.startsWith(prefix) ? format.slice(prefix.length) : undefined;
}

function compiled(pattern: string): Re2 | undefined {
  try {
    return re2(pattern);
  } catch {
    return undefined;
  }
}
