import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Example } from './example.ts';

/** A profile for GEP-713's own policy, which says nothing about itself. */
const colors = (profile: string) => ({ 'colors.example.com/ColorPolicy': profile });

/** The examples by name, with the folder of an example or one file, dialects, and the question that is answered first. */
const sources: readonly (readonly [string, string, Readonly<Record<string, string>>?, string?])[] = [
  [
    'Envoy Gateway: a route without login',
    'internal/playground/puzzles/replaced-login.yaml',
    {},
    'GET https://cart.example.com/',
  ],
  ['Envoy Gateway: merge types', 'examples/envoy-gateway'],
  ['kgateway: delegation', 'examples/kgateway'],
  ['Kuadrant: defaults and overrides', 'examples/kuadrant/manifests/b1.yaml'],
  ['Kuadrant: conflicts', 'examples/kuadrant/manifests/c1.yaml'],
  ['NGINX Gateway Fabric: one field, one policy', 'examples/nginx'],
  ['BackendTLSPolicy: a direct policy', 'examples/backend-tls'],
  ['Istio: a mesh', 'examples/istio'],
  ['Linkerd: Servers', 'examples/linkerd'],
  ['agentgateway: three parts', 'examples/agentgateway'],
  ['Gloo Gateway: route options', 'examples/gloo'],
  ['A kind of your own: timeouts', 'examples/quickstart'],
  ['A policy over 47 Services', 'examples/parable'],
  ['GEP-713: a direct policy', 'examples/color-policy/manifests/1-direct.yaml', colors('none')],
  [
    'GEP-713: defaults and overrides',
    'examples/color-policy/manifests/2-defaults-and-overrides.yaml',
    colors('gep713'),
  ],
  ['GEP-713: merged specs', 'examples/color-policy/manifests/3-merged-specs.yaml', colors('gep713')],
  [
    'Mistake: a selector in another namespace',
    'examples/mistakes/manifests/1-selector-in-another-namespace.yaml',
    {},
    'GET http://bank.example.com/',
  ],
  [
    'Mistake: a typo in the second target',
    'examples/mistakes/manifests/2-typo-in-the-second-target.yaml',
    {},
    'GET http://library.example.com/catalogue',
  ],
  [
    'Mistake: a vanished target',
    'examples/mistakes/manifests/3-vanished-target.yaml',
    {},
    'GET http://theatre.example.com/tickets',
  ],
  [
    'Mistake: a listener without a policy',
    'examples/mistakes/manifests/4-listener-without-a-policy.yaml',
    {},
    'GET http://clinic.example.com/',
  ],
  [
    'Mistake: a shadowed override',
    'examples/mistakes/manifests/5-shadowed-override.yaml',
    {},
    'GET http://travel.example.com/trips',
  ],
  [
    'Puzzle: Istio and Kuadrant at one Gateway',
    'internal/playground/puzzles/istio-beside-kuadrant.yaml',
    { 'platform.example.com/TimeoutPolicy': 'patch' },
  ],
];

/** Returns the examples, each as one text. */
export function examples(): readonly Example[] {
  return sources.map(([name, source, dialects = {}, question]) => ({
    name,
    text: textIn(source),
    dialects,
    question,
  }));
}

function textIn(source: string): string {
  const path = fileURLToPath(new URL(`../../../${source}`, import.meta.url));
  if (path.endsWith('.yaml')) return readFileSync(path, 'utf8');
  const folder = `${path}/manifests`;
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort();
  return files.map((name) => readFileSync(`${folder}/${name}`, 'utf8').trim()).join('\n---\n');
}
