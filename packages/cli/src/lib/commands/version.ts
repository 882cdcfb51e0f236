import type { Answer } from '../model/answer.ts';
import { version } from '../model/version.ts';

/** Answers with the version of this program. */
export function answer(): Answer {
  const lines = [`gwpolicy ${version}`, `node ${process.versions.node}`];
  return {
    document: { kind: 'Version', gwpolicy: version, node: process.versions.node },
    sections: [{ blocks: [{ lines }] }],
  };
}
