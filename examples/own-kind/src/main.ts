import { styleText } from 'node:util';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { Gateway, gatewayApi, HTTPRoute } from '@policy-machinery/gateway-api';
import { patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import { formatIssue, printable } from '@policy-machinery/resource';
import { readManifests } from '@policy-machinery/resource/node';
import { createTopology, formatTarget } from '@policy-machinery/topology';
import { z } from 'zod';

// The kind: what its policies may target, what they affect, what they contain, and how several become one.
const CachePolicy = definePolicyKind({
  group: 'caching.example.com',
  version: 'v1',
  kind: 'CachePolicy',
  targets: [Gateway, HTTPRoute, HTTPRoute.sections.rule],
  effectiveTargets: [HTTPRoute.sections.rule],
  spec: z.strictObject({ maxAge: z.string(), stale: z.string(), vary: z.array(z.string()) }).partial(),
  stanzas: defaultsAndOverrides({ strategies: { patch } }),
});

// The cluster, in this example from files. A controller applies the events of its watches.
const manifests = await readManifests('manifests');
const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [CachePolicy] });
topology.apply({ upsert: manifests });

// What applies to each rule below each Gateway, and which policy it comes from.
const effective = effectivePolicies(topology, CachePolicy);
for (const { target, ancestors, fields } of effective) {
  console.log(styleText('bold', `${formatTarget(target)} through ${ancestors.map(formatTarget).join(' and ')}`));
  for (const { pointer, value, by } of fields) {
    const origin = by.map(({ policy, stanza }) => `${policy.name} (${stanza})`);
    console.log(printable(`  ${pointer.slice(1).padEnd(8)}${String(value).padEnd(33)}${origin}`));
  }
}
for (const issue of [...topology.issues, ...effective.issues]) console.error(formatIssue(manifests.locate(issue)));
