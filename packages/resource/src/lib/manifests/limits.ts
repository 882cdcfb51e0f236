/** Limits for texts. Manifests may be hostile. */
export interface ManifestLimits {
  /** Characters in one text. */
  readonly characters: number;
  /** Characters in one YAML document. Reading YAML takes about a hundred times the memory of its text; JSON does not. */
  readonly yamlCharacters: number;
  /** The maximal nesting of objects and lists in one document. More than about 500 levels may exhaust the stack. */
  readonly depth: number;
  /** The maximal number of values that all aliases (`*name`) of one document expand to. */
  readonly aliases: number;
}

const mebi = 1024 * 1024;

/** Fills in the limits that the caller does not set. */
export function limitsFrom({
  characters = 64 * mebi,
  yamlCharacters = 4 * mebi,
  depth = 100,
  aliases = 1000,
}: Partial<ManifestLimits> = {}): ManifestLimits {
  return { characters, yamlCharacters, depth, aliases };
}
