import { folderWith } from './cli.fixture.ts';

/** A finding of `lint`, as JSON. */
interface Found {
  readonly code: string;
  readonly message: string;
  readonly severity: string;
}

/** Checks a folder with these files, and its subfolders. */
export async function lint(files: Readonly<Record<string, string>>, ...flags: readonly string[]) {
  const folder = folderWith(files);
  const { code, stdout } = await folder.gwpolicy('lint', '-R', '-f', '@', ...flags, '-o', 'json');
  const items = (JSON.parse(stdout) as { items: readonly Found[] }).items;
  return { exitCode: code, items, codes: items.map((item) => item.code) };
}

/** A file of kustomize. */
export const kustomize = (fields: string) =>
  `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [lost.yaml]\n${fields}\n`;
/** A Kustomization of Flux. */
export const flux = (fields: string, path = './app') => `
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: app, namespace: flux-system }
spec: { path: ${path}, ${fields} }
`;
/** A release of a chart. */
export const release = (values: string) => `
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: app, namespace: shop }
spec: { chart: { spec: { chart: app } }, values: ${values} }
`;
