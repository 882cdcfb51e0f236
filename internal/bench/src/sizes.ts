import { parseArgs } from 'node:util';
import { clusterOf, sizeOf } from '@policy-machinery/workload';
import { timeChanges } from './lib/changes.ts';
import { keepLoaded, measureLoad } from './lib/load.ts';
import { median } from './lib/measure.ts';
import { growthTable, type SizeCost } from './lib/sizes.ts';

/** Prints what clusters of one mix cost, up to ten times the reference size, and how each cost grows with the size. */
const { values } = parseArgs({
  options: {
    /** The sizes, in nodes. */
    nodes: { type: 'string', default: '10000,100000,1000000' },
    /** How often each is loaded. */
    times: { type: 'string', default: '3' },
  },
});

keepLoaded(clusterOf(sizeOf(10_000)));
const sizes = values.nodes
  .split(',')
  .map(Number)
  .map((nodes): SizeCost => {
    console.error(`measuring ${nodes.toLocaleString('en')} nodes …`);
    const workload = clusterOf(sizeOf(nodes));
    const { policyOnRoute: edits } = timeChanges(workload, 1, ['policyOnRoute']);
    return { nodes, costs: { ...measureLoad(workload, Number(values.times)), edit: median(edits) } };
  });
console.log(
  growthTable(sizes, [
    { what: 'load', cost: 'load', unit: 'parse' },
    { what: 'first plan', cost: 'plan', unit: 'parse' },
    { what: "a route's policy edited", cost: 'edit', unit: 'parse' },
    { what: 'memory', cost: 'ownBytes', unit: 'resourceBytes' },
    { what: 'memory after the plan', cost: 'plannedBytes', unit: 'resourceBytes' },
  ]),
);
