import { extname } from 'node:path';
import type { Finding } from '../../model/answer.ts';

/** Returns whether a file in a folder is a manifest or a kustomization, by its name. As for kubectl, capitals count: `a.YAML` is none. */
export function isManifestName(name: string): boolean {
  return /(?:\.(?:ya?ml|json)|(?:^|[\\/])Kustomization)$/.test(name);
}

/** Returns whether a link in a folder may lead to manifests: by its name, it is a manifest or a folder. */
export function isManifestLink(name: string): boolean {
  return isManifestName(name) || extname(name) === '';
}

/**
 * Returns the finding about a symbolic link: that a path is read where the link leads, or that a link below a folder is left out.
 *
 * @param effect The effect of the link on the answer.
 * @param target Where it leads. Default: not said.
 */
export function linkFinding(effect: 'followed' | 'left out', link: string, target = ''): Finding {
  return {
    code: `link-${effect.replace(' ', '-')}`,
    severity: 'note',
    message:
      effect === 'followed'
        ? `${link} is a link to ${target}; that is read in its place`
        : `${link} is a link, and is left out; name it to follow it`,
    position: { source: link, line: 1, column: 1 },
  };
}

/** Returns the finding about a submodule below a folder: its content is in another repository. */
export function submoduleFinding(name: string): Finding {
  const message = `${name} is a submodule, and is left out; name a path in its work tree to read it`;
  return { code: 'submodule-left-out', severity: 'note', message, position: { source: name, line: 1, column: 1 } };
}

/** The pattern of the names of files for `gwpolicy test`. */
export const testFile = /\.policy-test\.ya?ml$/i;
