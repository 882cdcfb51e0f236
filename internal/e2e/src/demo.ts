// Runs the example of a controller on an API server of its own, until it is stopped.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startApiServer } from './api-server.ts';
import { binaries, buildBinaries } from './binaries.ts';
import { accessTo, kubectl } from './cluster.ts';
import { deployExample, example, startReplica, writeExampleKubeconfig } from './example-deployment.ts';
import { installGatewayApi } from './gateway-api.ts';
import { runProgram } from './processes.ts';

console.log('Starting an API server …');
await buildBinaries();
const server = await startApiServer();
const cluster = accessTo(server.kubeconfig);
const folder = mkdtempSync(join(tmpdir(), 'demo-'));
const kubeconfig = join(folder, 'kubeconfig');

try {
  await installGatewayApi(cluster);
  console.log('Installing examples/controller/deploy, and starting the controller with the rights that it gives …');
  await deployExample(cluster);
  await writeExampleKubeconfig(cluster, kubeconfig);
  await runProgram('npm', ['run', '--silent', '--prefix', example, 'build']);
  const replica = await startReplica('demo', kubeconfig);
  await kubectl(cluster, ['apply', '--server-side', '-f', join(example, 'manifests')]);
  const columns =
    'KIND:.kind,NAME:.metadata.name,PROGRAMMED:.status.ancestors[0].conditions[?(@.type=="Programmed")].status,' +
    'MESSAGE:.status.ancestors[0].conditions[?(@.type=="Programmed")].message';
  const show = () => kubectl(cluster, ['get', 'policies', '-n', 'shop', '-o', `custom-columns=${columns}`]);
  let shown = await show();
  while (shown.includes('<none>')) {
    await setTimeout(200);
    shown = await show();
  }
  console.log(`\n${shown}`);
  console.log(`It runs until you press Ctrl-C. To change policies:\n\n  export KUBECONFIG=${server.kubeconfig}`);
  console.log(`  ${binaries.kubectl} edit timeoutpolicy -n shop patient`);
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  await replica.end();
} finally {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}
