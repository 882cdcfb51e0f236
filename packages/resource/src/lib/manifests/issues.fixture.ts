import { formatIssue, type Issue, PolicyMachineryError } from '../../index.ts';
import { type ManifestOptions, type ManifestText, parseManifests } from '../../manifests.ts';

/** Returns the faults of manifests, one line each; none if they are valid. */
export function issuesIn(texts: string | readonly ManifestText[], options?: ManifestOptions): readonly string[] {
  return issuesOf(() => parseManifests(texts, options)).map(formatIssue);
}

/** Returns the issues with which a call fails, always with the error class of this library. */
export function issuesOf(attempt: () => unknown): readonly Issue[] {
  try {
    attempt();
    return [];
  } catch (error) {
    if (!(error instanceof PolicyMachineryError) || error.code !== 'invalid-manifests') throw error;
    return error.issues;
  }
}

/** Returns the beginning of a valid Service, to be continued. */
export const service = (name = 'cart') => `apiVersion: v1\nkind: Service\nmetadata: { name: ${name} }\n`;
