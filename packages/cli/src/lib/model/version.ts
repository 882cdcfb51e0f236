import { objectIn, stringIn } from '@policy-machinery/resource';
import manifest from '../../../package.json' with { type: 'json' };

export const { version } = manifest;

/** The address of the repository, which a release writes into the package; `undefined` before that. */
export const repositoryUrl: string | undefined = stringIn(objectIn(objectIn(manifest).repository).url);
