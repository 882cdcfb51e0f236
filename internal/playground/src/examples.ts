import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Example } from './example.ts';

/** A profile for GEP-713's own policy, which says nothing about itself. */
const colors = (profile: string) => ({ 'colors.example.com/ColorPolicy': profile });

/** The examples by name, with the folder in `examples/` or one file of it, and dialects. */
const sources: readonly (readonly [string, string, Readonly<Record<string, string>>?])[] = [
  ['Envoy Gateway: merge types', 'envoy-gateway'],
  ['kgateway: delegation', 'kgateway'],
  ['Kuadrant: defaults and overrides', 'kuadrant/manifests/b1.yaml'],
  ['Kuadrant: conflicts', 'kuadrant/manifests/c1.yaml'],
  ['NGINX Gateway Fabric: one field, one policy', 'nginx'],
  ['BackendTLSPolicy: a direct policy', 'backend-tls'],
  ['Istio: a mesh', 'istio'],
  ['Linkerd: Servers', 'linkerd'],
  ['agentgateway: three parts', 'agentgateway'],
  ['Gloo Gateway: route options', 'gloo'],
  ['A kind of your own: timeouts', 'quickstart'],
  ['A policy over 47 Services', 'parable'],
  ['GEP-713: a direct policy', 'color-policy/manifests/1-direct.yaml', colors('none')],
  ['GEP-713: defaults and overrides', 'color-policy/manifests/2-defaults-and-overrides.yaml', colors('gep713')],
  ['GEP-713: merged specs', 'color-policy/manifests/3-merged-specs.yaml', colors('gep713')],
];

/** Returns the examples, each as one text. */
export function examples(): readonly Example[] {
  return sources.map(([name, source, dialects = {}]) => ({ name, text: textIn(source), dialects }));
}

function textIn(source: string): string {
  const path = fileURLToPath(new URL(`../../../examples/${source}`, import.meta.url));
  if (path.endsWith('.yaml')) return readFileSync(path, 'utf8');
  const folder = `${path}/manifests`;
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort();
  return files.map((name) => readFileSync(`${folder}/${name}`, 'utf8').trim()).join('\n---\n');
}
