import { fileURLToPath } from 'node:url';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { readManifests } from '@policy-machinery/resource/node';
import { colorsFor } from '@policy-machinery/text';
import { createTopology } from '@policy-machinery/topology';
import { RetryPolicy } from './retry-policy.ts';
import { tell } from './story.ts';

const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [RetryPolicy] });
topology.apply({ upsert: await readManifests(fileURLToPath(new URL('../manifests', import.meta.url))) });

process.stdout.write(tell(topology, colorsFor(process.stdout, process.env)));
