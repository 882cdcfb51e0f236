// A script of its own, for pages that ask who looks at them: it has a parser of YAML, which no other page needs.

import { readKubeconfig } from './read-kubeconfig.ts';

Object.assign(globalThis, { readKubeconfig });
