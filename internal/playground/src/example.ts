/** Manifests to begin with. */
export interface Example {
  readonly name: string;
  readonly text: string;
  /** How kinds merge that do not say so themselves. */
  readonly dialects: Readonly<Record<string, string>>;
  /** The question that it opens with. Default: none. */
  readonly question?: string | undefined;
}
