import { type JsonObject, PolicyMachineryError } from '@policy-machinery/resource';
import type { StandardSchemaV1 } from '@standard-schema/spec';

/** A further version of a policy kind. Targets and stanzas are written as in all versions. */
export interface OtherVersion {
  /** Its name: `v1beta1`. */
  readonly version: string;
  /** The schema of the spec proper in this version. Default: the kind's schema. */
  readonly spec?: StandardSchemaV1;
  /**
   * Returns a valid spec proper of this version as the kind's own version has it. Must be pure. A policy is left out if this function throws for
   * it, or returns a spec that the schema of the kind refuses. Default: the spec is the same in both versions.
   */
  convert?(spec: JsonObject): JsonObject;
}

/** The versions of a policy kind. */
interface VersionedDefinition {
  readonly kind: string;
  readonly version: string;
  readonly otherVersions?: readonly OtherVersion[] | undefined;
  readonly storedVersion?: string | undefined;
}

/**
 * Refuses versions that cannot be distinguished, and versions without a stored one.
 *
 * @throws {PolicyMachineryError} `invalid-policy-kind`.
 */
export function checkVersions({
  kind,
  version,
  otherVersions = [],
  storedVersion = version,
}: VersionedDefinition): void {
  const names = [version, ...otherVersions.map((it) => it.version)];
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) {
    throw new PolicyMachineryError('invalid-policy-kind', `${kind} names the version ${repeated} twice; name it once`);
  }
  if (names.includes(storedVersion)) return;
  const message = `${kind} is stored as ${storedVersion}, which is not one of its versions; choose one of ${names.join(', ')}`;
  throw new PolicyMachineryError('invalid-policy-kind', message);
}
