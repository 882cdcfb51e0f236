import { formatIssue, type Issue, PolicyMachineryError } from '../../index.ts';
import { type ManifestOptions, type ManifestText, parseManifests } from '../../manifests.ts';

/** What is wrong with manifests, one line each; none when they are sound. */
export function issuesIn(texts: string | readonly ManifestText[], options?: ManifestOptions): readonly string[] {
  return issuesOf(() => parseManifests(texts, options)).map(formatIssue);
}

/** The issues with which something fails: always with the one error that this library throws. */
export function issuesOf(attempt: () => unknown): readonly Issue[] {
  try {
    attempt();
    return [];
  } catch (error) {
    if (!(error instanceof PolicyMachineryError) || error.code !== 'invalid-manifests') throw error;
    return error.issues;
  }
}

/** The head of a Service that is sound; what follows is the rest of it. */
export const service = (name = 'cart') => `apiVersion: v1\nkind: Service\nmetadata: { name: ${name} }\n`;
