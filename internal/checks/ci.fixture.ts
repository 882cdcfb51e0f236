import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type BuildOptions, build } from 'esbuild';
import { parseAllDocuments } from 'yaml';
import { root } from './files.ts';

/** The result of a program. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Variables = Readonly<Record<string, string>>;

/** The programs of CI, in a folder: the script of the action, and `bin` with gwpolicy. */
export class Ci {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Bundles the programs once, since tests start them dozens of times. */
  static async install(folder: string): Promise<Ci> {
    const conditions = ['@policy-machinery/source'];
    const options: BuildOptions = { bundle: true, platform: 'node', conditions, logLevel: 'error' };
    const [script, gwpolicy] = [join(folder, 'action.mjs'), join(folder, 'gwpolicy.cjs')];
    await build({ ...options, entryPoints: [`${root}action/src/main.ts`], outfile: script, format: 'esm' });
    await build({
      ...options,
      entryPoints: [`${root}packages/cli/src/executable.ts`],
      outfile: gwpolicy,
      format: 'cjs',
    });
    const ci = new Ci(folder);
    // Programs do not see the token.
    const check = '[ -z "$INPUT_TOKEN$POLICIES_TOKEN" ] || exit 2';
    ci.write(
      'bin/gwpolicy',
      `#!/bin/sh\n${check}\nexport NODE_COMPILE_CACHE="${join(folder, 'compiled')}"\nexec "${process.execPath}" "${gwpolicy}" "$@"\n`,
    );
    return ci;
  }

  /** Writes a file below the folder; a script can be run. */
  write(name: string, content: string): void {
    mkdirSync(join(this.#folder, dirname(name)), { recursive: true });
    writeFileSync(join(this.#folder, name), content);
    if (content.startsWith('#!')) chmodSync(join(this.#folder, name), 0o755);
  }

  /** Runs the action's script in a checkout, as a runner would. */
  async action(repository: string, event: object, inputs: Variables, api: string): Promise<Ran & { summary: string }> {
    const names = ['event.json', 'summary.md', 'output'] as const;
    const [eventFile, summary, output] = names.map((name) => join(this.#folder, name)) as [string, string, string];
    this.write(names[0], JSON.stringify(event));
    this.write(names[1], '');
    this.write(names[2], '');
    const ran = await this.#run([process.execPath, join(this.#folder, 'action.mjs')], repository, {
      GITHUB_API_URL: api,
      GITHUB_REPOSITORY: 'platform/policies',
      GITHUB_EVENT_PATH: eventFile,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_OUTPUT: output,
      GITHUB_WORKSPACE: repository,
      RUNNER_TEMP: this.#folder,
      INPUT_TOKEN: 'secret-token',
      ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name}`, value])),
    });
    return { ...ran, summary: readFileSync(summary, 'utf8') };
  }

  /** Runs the script of the component's job in a checkout, as a runner would, with inputs and variables. */
  async component(repository: string, given: Variables, variables: Variables): Promise<Ran> {
    const [spec, jobs] = parseAllDocuments(component).map((document) => document.toJS());
    const declared: Readonly<Record<string, { readonly default: string | boolean }>> = spec.spec.inputs;
    const own = Object.entries(jobs.policies.variables).map(([name, value]) => [
      name,
      String(value).replace(
        /^\$\[\[ inputs\.(.*) \]\]$/,
        (_all, input) => given[input] ?? String(declared[input]?.default ?? `no input ${input}`),
      ),
    ]);
    const script: readonly string[] = jobs.policies.script;
    const env = { ...Object.fromEntries(own), ...variables };
    return this.#run(['bash', '-eo', 'pipefail', '-c', script.join('\n')], repository, env);
  }

  async #run([command = '', ...args]: readonly string[], cwd: string, env: Variables): Promise<Ran> {
    const PATH = [join(this.#folder, 'bin'), process.env.PATH].join(delimiter);
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: { PATH, ...env } });
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<[number | null]>((resolve) => child.on('close', (status) => resolve([status]))),
    ]);
    return { code, stdout, stderr };
  }
}

/** The text of the component. */
export const component = readFileSync(`${root}templates/policies.yml`, 'utf8');

/** Returns the event of a pull request from a repository of some owner. */
export function pullFrom(owner: string, base: string): object {
  const pull = { sha: base, repo: { full_name: 'platform/policies' } };
  return { pull_request: { number: 7, base: pull, head: { repo: { full_name: `${owner}/policies` } } } };
}
