/** A text with manifests, and its name in messages. */
export interface ManifestText {
  /** File name, URL or `stdin`. */
  readonly source: string;
  readonly text: string;
}
