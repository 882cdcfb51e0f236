/** Manifests to begin with. */
export interface Example {
  readonly name: string;
  readonly text: string;
  /** How kinds merge that do not say so themselves. */
  readonly dialects: Readonly<Record<string, string>>;
}
