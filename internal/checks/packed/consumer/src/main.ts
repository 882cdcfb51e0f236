import { readManifests } from '@policy-machinery/resource/node';
import { reconcile } from './controller.js';

for (const line of reconcile(await readManifests('cluster.yaml'))) console.log(line);
