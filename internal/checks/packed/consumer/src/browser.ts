import { parseManifests } from '@policy-machinery/resource/manifests';
import cluster from '../cluster.yaml';
import { reconcile } from './controller.js';

const report = document.createElement('pre');
report.textContent = reconcile(parseManifests(cluster)).join('\n');
document.body.append(report);
