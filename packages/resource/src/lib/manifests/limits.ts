/** How much a text may ask of its reader. Manifests may come from people who mean harm. */
export interface ManifestLimits {
  /** Characters in one text. */
  readonly characters: number;
  /** How deep objects and lists may nest within one document. */
  readonly depth: number;
  /** How many nodes the aliases (`*name`) of one document may stand for. */
  readonly aliases: number;
}

/** What is read unless the caller says otherwise. */
export const defaultLimits: ManifestLimits = { characters: 256 * 1024 * 1024, depth: 100, aliases: 1000 };
