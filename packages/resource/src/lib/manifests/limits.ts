/** How much a text may ask of its reader. Manifests may come from people who mean harm. */
export interface ManifestLimits {
  /** Characters in one text. */
  readonly characters: number;
  /** Characters in one YAML document: reading YAML takes some hundred times the memory of its text, JSON does not. */
  readonly yamlCharacters: number;
  /** How deep objects and lists may nest within one document. More than some 500 levels may exhaust the stack. */
  readonly depth: number;
  /** How many values the aliases (`*name`) of one document may stand for, all together. */
  readonly aliases: number;
}

const mebi = 1024 * 1024;

/** Fills in what the caller leaves open. */
export function limitsFrom({
  characters = 64 * mebi,
  yamlCharacters = 4 * mebi,
  depth = 100,
  aliases = 1000,
}: Partial<ManifestLimits> = {}): ManifestLimits {
  return { characters, yamlCharacters, depth, aliases };
}
