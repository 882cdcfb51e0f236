/** The CustomResourceDefinitions of a release of a project. */
export interface ProjectSchemas {
  /** The release in messages: `Envoy Gateway v1.9.0`. */
  readonly release: string;
  /** The place of the files with the definitions. */
  readonly source: string;
  /** The definitions by the keys of their kinds: `securitypolicy.gateway.envoyproxy.io`. */
  readonly definitions: Readonly<Record<string, PackedDefinition>>;
}

/** A CustomResourceDefinition without descriptions and without the schema of its status. */
export interface PackedDefinition {
  /** The SHA-256 of the file that it is from. */
  readonly sha256: string;
  /** The definition: JSON, compressed by gzip, in base64. */
  readonly gzip: string;
}
