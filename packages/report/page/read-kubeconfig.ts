import { parse } from 'yaml';
import { type Kubeconfig, kubeconfigIn } from '../src/lib/sign-in/kubeconfig.ts';

/** The longest file that is read, in characters. */
const longest = 1 << 20;

/** Reads the text of a kubeconfig, in YAML or JSON. Never throws: what cannot be read is a fault. */
export function readKubeconfig(text: string): Kubeconfig {
  if (text.length > longest) return { contexts: [], fault: 'This file is too large for a kubeconfig.' };
  try {
    // All values are texts, and aliases multiply little.
    return kubeconfigIn(parse(text, { schema: 'failsafe', maxAliasCount: 20, logLevel: 'error' }));
  } catch {
    return { contexts: [], fault: 'This file cannot be read: it is neither YAML nor JSON.' };
  }
}
