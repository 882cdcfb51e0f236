import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The cost of a command: CPU time in milliseconds, and the largest memory in bytes. */
export interface CommandCost {
  readonly cpu: number;
  readonly memory: number;
}

/** The costs of commands about one cluster in a file. */
export interface MeasuredCommands {
  readonly get: CommandCost;
  readonly coverage: CommandCost;
  /** Of two files that differ in one field of a route's policy. */
  readonly diff: CommandCost;
  /** Of two files that differ in the Gateway's login, which most routes inherit. */
  readonly diffOfAll: CommandCost;
}

const group = 'gateway.networking.k8s.io';
const executable = fileURLToPath(new URL('../../../../packages/cli/src/gwpolicy.ts', import.meta.url));
const report =
  'process.on("exit", () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); process.stderr.write("\\n" + JSON.stringify([(userCPUTime + systemCPUTime) / 1000, maxRSS * 1024])); });';

/**
 * Measures `gwpolicy get`, `coverage` and `diff` of a cluster of Envoy Gateway: one Gateway with a login, which some routes replace.
 *
 * @param routes The number of routes.
 */
export function measureCommands(routes: number): MeasuredCommands {
  const folder = mkdtempSync(join(tmpdir(), 'bench-commands-'));
  try {
    const written = (name: string, origin: string, issuer: string): string => {
      const file = join(folder, `${name}.yaml`);
      const objects = clusterOf(routes, origin, issuer).map((it) => JSON.stringify(it));
      writeFileSync(file, objects.join('\n---\n'));
      return file;
    };
    const before = written('before', 'a', 'login');
    return {
      get: costOf('get', '-A', '-f', before),
      coverage: costOf('coverage', before),
      diff: costOf('diff', before, written('route', 'b', 'login')),
      diffOfAll: costOf('diff', before, written('gateway', 'a', 'other')),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function costOf(...args: readonly string[]): CommandCost {
  const imports = ['--import', `data:text/javascript,${encodeURIComponent(report)}`];
  const { stderr } = spawnSync(process.execPath, [...process.execArgv, ...imports, executable, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [cpu, memory] = JSON.parse(stderr.slice(stderr.lastIndexOf('\n') + 1)) as [number, number];
  return { cpu, memory };
}

function clusterOf(routes: number, firstOrigin: string, issuer: string): readonly object[] {
  const gatewayRef = { group, kind: 'Gateway', name: 'public', namespace: 'infra' };
  const listener = { name: 'web', port: 80, protocol: 'HTTP', allowedRoutes: { namespaces: { from: 'All' } } };
  const jwt = {
    providers: [{ name: 'login', issuer, remoteJWKS: { uri: 'https://login.example.com/jwks' } }],
  };
  return [
    object(`${group}/v1`, 'Gateway', 'infra', 'public', { gatewayClassName: 'eg', listeners: [listener] }),
    securityPolicy('infra', 'login', { kind: 'Gateway', name: 'public' }, { jwt }),
    ...Array.from({ length: routes }, (_, index) => {
      const [name, namespace] = [`svc-${index}`, `ns-${index % 100}`];
      const rules = [{ backendRefs: [{ name, port: 80 }] }];
      const spec = { parentRefs: [gatewayRef], hostnames: [`${name}.example.com`], rules };
      const cors = { allowOrigins: [`https://${index === 0 ? firstOrigin : index % 49}.example.com`] };
      const route = object(`${group}/v1`, 'HTTPRoute', namespace, name, spec);
      return index % 7 === 0
        ? [route, securityPolicy(namespace, name, { kind: 'HTTPRoute', name }, { cors })]
        : [route];
    }).flat(),
  ];
}

function securityPolicy(namespace: string, name: string, target: object, spec: object): object {
  const targetRefs = [{ group, ...target }];
  return object('gateway.envoyproxy.io/v1alpha1', 'SecurityPolicy', namespace, name, { targetRefs, ...spec });
}

function object(apiVersion: string, kind: string, namespace: string, name: string, spec: object): object {
  return { apiVersion, kind, metadata: { namespace, name }, spec };
}
