import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { defineConfig } from 'tsup';

/** One package without dependencies: everything is bundled, and each command is a chunk that is loaded when it is called. */
export default defineConfig({
  entry: ['src/gwpolicy.ts', 'src/kubectl-gwpolicy.ts', 'src/kubectl_complete-gwpolicy.ts'],
  format: 'esm',
  platform: 'node',
  target: 'node20',
  splitting: true,
  minify: true,
  noExternal: [/./],
  // Some modules of Node, such as `node:sea`, have no name without the prefix.
  removeNodeProtocol: false,
  // Some of what is bundled is CommonJS, and requires modules of Node. Minified code has no names as long as this one.
  banner: {
    js: "import{createRequire as createBundledRequire}from'node:module';const require=createBundledRequire(import.meta.url);",
  },
  esbuildOptions: (options) => {
    options.conditions = ['@policy-machinery/source'];
    options.legalComments = 'none';
  },
  metafile: true,
  onSuccess: async () => writeLicenses('dist'),
  clean: true,
  silent: true,
  tsconfig: '../../tsconfig.base.json',
});

/** Writes the licences of all that is bundled from others, as these licences ask for. */
function writeLicenses(folder: string): void {
  const metafile = `${folder}/metafile-esm.json`;
  const { inputs } = JSON.parse(readFileSync(metafile, 'utf8')) as {
    readonly inputs: Readonly<Record<string, unknown>>;
  };
  rmSync(metafile);
  const packages = new Set(
    Object.keys(inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []),
  );
  const texts = [...packages].sort().map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(`${path}/package.json`, 'utf8'));
    const [file] = readdirSync(path).filter((each) => /^licen[cs]e/i.test(each));
    if (file === undefined && license === undefined) throw new Error(`${name} has no licence`);
    const text = file === undefined ? `Licence: ${license}` : readFileSync(`${path}/${file}`, 'utf8').trim();
    return `${name} ${version}\n\n${text}\n`;
  });
  writeFileSync(`${folder}/THIRD-PARTY-LICENSES`, texts.join('\n---\n\n'));
}
