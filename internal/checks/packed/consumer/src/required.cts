import { readManifests } from '@policy-machinery/resource/node';
import { reconcile } from './controller.js';

void readManifests('cluster.yaml').then((cluster) => {
  for (const line of reconcile(cluster)) console.log(line);
});
