/** What is compared and checked: manifests as they are, or what a tool renders. */
export type Source =
  | { readonly tool: 'files'; readonly path: string }
  | { readonly tool: 'kustomize'; readonly path: string }
  | { readonly tool: 'helm'; readonly path: string; readonly values: readonly string[] };

/** The inputs of the action. */
export interface Inputs {
  readonly mode: 'check' | 'comment';
  readonly sources: readonly Source[];
  readonly guarantees: readonly string[];
  readonly failOn: string;
  /** Whether the check fails for requests that a change opens. */
  readonly noNewAccess: boolean;
  readonly token: string;
}

/**
 * Reads the inputs.
 *
 * @param env The environment, with an input in each `INPUT_NAME`.
 * @returns The inputs. Without any source, that is the folder of the repository.
 * @throws {Error} If a mode, a value of `fail-on` or a path has no meaning.
 */
export function inputsIn(env: NodeJS.ProcessEnv): Inputs {
  const lines = (name: string) =>
    (env[`INPUT_${name}`] ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  const mode = env.INPUT_MODE ?? 'check';
  const failOn = env.INPUT_FAIL_ON ?? 'lost';
  if (mode !== 'check' && mode !== 'comment') throw new Error(`the mode ${mode} is neither check nor comment`);
  if (!['any', 'lost', 'unprotected', 'none'].includes(failOn))
    throw new Error(`fail-on ${failOn} is none of any, lost, unprotected, none`);
  const noNewAccess = env.INPUT_NO_NEW_ACCESS || 'false';
  if (!['true', 'false'].includes(noNewAccess))
    throw new Error(`no-new-access ${noNewAccess} is neither true nor false`);
  const sources: readonly Source[] = [
    ...lines('PATH').map((path) => ({ tool: 'files', path }) as const),
    ...lines('KUSTOMIZE').map((path) => ({ tool: 'kustomize', path }) as const),
    ...lines('HELM').map((line) => {
      const [path = '', ...values] = line.split(/\s+/);
      return { tool: 'helm', path, values } as const;
    }),
  ];
  const guarantees = lines('GUARANTEES');
  for (const source of sources) {
    for (const path of [source.path, ...(source.tool === 'helm' ? source.values : [])]) checkPath(path);
  }
  for (const path of guarantees) checkPath(path);
  return {
    mode,
    sources: sources.length === 0 ? [{ tool: 'files', path: '.' }] : sources,
    guarantees,
    failOn,
    noNewAccess: noNewAccess === 'true',
    token: env.INPUT_TOKEN ?? '',
  };
}

/** Paths are in the repository, since the same path is read at two commits. None looks like a flag. */
function checkPath(path: string): void {
  if (path.startsWith('-') || path.startsWith('/') || path.split('/').includes('..')) {
    throw new Error(`${path} is no path in the repository`);
  }
}

/** Returns the heading of a source: `helm charts/shop values/production.yaml`. */
export function titleOf(source: Source): string {
  if (source.tool === 'files') return source.path;
  return [source.tool, source.path, ...(source.tool === 'helm' ? source.values : [])].join(' ');
}
