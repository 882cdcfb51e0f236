/** Manifests to begin with. */
export interface Example {
  readonly name: string;
  readonly text: string;
}
