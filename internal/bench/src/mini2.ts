import { clusterOf, referenceSize } from '@policy-machinery/workload';
import { timeChanges, type ChangeName } from './lib/changes.ts';
import { median } from './lib/measure.ts';
const workload = clusterOf(referenceSize);
const text = JSON.stringify(workload.resources);
const t0 = process.cpuUsage(); for (let i=0;i<5;i++) JSON.parse(text); const u=process.cpuUsage(t0); const parse=(u.user+u.system)/5000;
const names = process.argv.slice(2) as ChangeName[];
const times = timeChanges(workload, 1, names);
for (const [name, list] of Object.entries(times)) { const s=[...list].sort((a,b)=>a-b); console.log(name, list.length, 'median 1/', Math.round(parse/median(list)), 'p95', (s[Math.floor(s.length*.95)]!/parse).toFixed(3), 'mean', (list.reduce((a,b)=>a+b)/list.length/parse).toFixed(4)); }
