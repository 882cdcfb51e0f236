// Reads all ConfigMaps again and again, and prints how many events that were, and the CPU time that they took in seconds.

import { connect, createSources } from '@policy-machinery/cluster';

const [kubeconfig = '', times = '5'] = process.argv.slice(2);
const connection = await connect({ kubeconfig });
const ConfigMap = { group: '', kind: 'ConfigMap', versions: ['v1'] };

async function readAll(): Promise<number> {
  let count = 0;
  await using sources = createSources(connection, [ConfigMap]);
  for await (const { upsert } of sources) {
    count += upsert.length;
    if (sources.isSettled) break;
  }
  return count;
}

await readAll(); // Connects, and compiles.
const before = process.cpuUsage();
let events = 0;
for (let time = 0; time < Number(times); time += 1) events += await readAll();
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ events, cpu: (user + system) / 1e6 }));
process.exit(0);
