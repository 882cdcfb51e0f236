import { isJsonObject, type JsonObject, objectsIn } from '@policy-machinery/resource';
import { CheckFailure } from '../cluster/failure.ts';
import { targetRef } from '../subject/manifests.ts';
import type { Check, CheckContext } from './check.ts';
import { conditionIn, everyEntry, says } from './conditions.ts';
import { needsAncestors, needsTargets, never } from './skips.ts';
import { createWorld, worldFor } from './world.ts';

const profile = 'POLICY-CORE';

/** Checks of the definition of the kind, and of the targets of its policies. */
export const targetChecks: readonly Check[] = [
  {
    id: 'target-refs-in-crd',
    profile,
    level: 'MUST',
    line: 271,
    sentence: 'targets MUST be declared in a `targetRefs` field within the spec of the Policy object.',
    skip: never,
    async run(context) {
      const { targetRefs, targetRef } = fieldsOf((await schemaOf(context)).spec);
      const list = isJsonObject(targetRefs) && isJsonObject(targetRefs.items) ? targetRefs.items : targetRef;
      const fields = fieldsOf(list);
      const missing = ['group', 'kind', 'name'].filter((field) => fields[field] === undefined);
      if (missing.length > 0)
        throw new CheckFailure(`spec.targetRefs of the definition does not have ${missing.join(', ')}`);
    },
  },
  {
    id: 'conditions-in-crd',
    profile,
    level: 'MUST',
    line: 922,
    sentence:
      'Policy CRDs MUST define a `status` stanza, and the `status` stanza MUST contain a `conditions` stanza, using the standard Condition format, to report the status of the policy.',
    skip: never,
    async run(context) {
      const status = fieldsOf((await schemaOf(context)).status);
      const { ancestors } = status;
      const ofAncestors = isJsonObject(ancestors) ? fieldsOf(ancestors.items) : {};
      const conditions = [status.conditions, ofAncestors.conditions].find(isJsonObject);
      const fields = fieldsOf(conditions?.items);
      const missing = ['type', 'status', 'reason', 'message', 'lastTransitionTime'].filter((it) => !(it in fields));
      if (missing.length > 0)
        throw new CheckFailure(`the conditions of the definition do not have ${missing.join(', ')}`);
    },
  },
  {
    id: 'ancestors-in-crd',
    profile,
    level: 'SHOULD',
    line: 1021,
    sentence:
      'Policy objects SHOULD use the upstream `PolicyAncestorStatus` struct in their respective Status structs.',
    skip: needsAncestors,
    async run(context) {
      const { ancestors } = fieldsOf((await schemaOf(context)).status);
      const entry = fieldsOf(isJsonObject(ancestors) ? ancestors.items : undefined);
      const reference = fieldsOf(entry.ancestorRef);
      const missing = [
        ...['ancestorRef', 'controllerName', 'conditions'].filter((it) => !(it in entry)),
        ...['group', 'kind', 'namespace', 'name'].filter((it) => !(it in reference)).map((it) => `ancestorRef.${it}`),
      ];
      if (missing.length > 0)
        throw new CheckFailure(`status.ancestors of the definition does not have ${missing.join(', ')}`);
    },
  },
  {
    id: 'status-subresource',
    profile,
    level: 'CONVENTION',
    sentence:
      'The status of an object is written through the status subresource, so that its generation counts changes of the spec alone.',
    skip: never,
    async run(context) {
      const { subresources } = await versionOf(context);
      if (!isJsonObject(subresources) || subresources.status === undefined) {
        throw new CheckFailure('the definition does not have a status subresource');
      }
    },
  },
  {
    id: 'target-found',
    profile,
    level: 'SHOULD',
    line: 926,
    sentence: 'Policy implementations SHOULD use the following status conditions and reasons for policy objects',
    skip: never,
    async run(context) {
      const { client, subject, policy, policyName } = context;
      await policy('found', await createWorld(context));
      await client.until(policyName('found'), says(subject, ['Accepted', 'True', 'Accepted']));
    },
  },
  {
    id: 'target-not-found',
    profile,
    level: 'SHOULD',
    line: 962,
    sentence:
      'PolicyReasonTargetNotFound is used with the "Accepted" condition when the policy is attached to an invalid target resource',
    skip: never,
    async run(context) {
      const { client, subject, policy, policyName } = context;
      const { target, object, others } = worldFor(subject);
      await client.create(...others);
      await policy('early', target);
      await client.until(policyName('early'), says(subject, ['Accepted', 'False', 'TargetNotFound']));
      await client.create(object);
      await client.until(policyName('early'), says(subject, ['Accepted', 'True']));
    },
  },
  {
    id: 'section-not-found',
    profile,
    level: 'MUST',
    line: 396,
    sentence:
      'a policy that specifies additional behaviour for a given listener of a Gateway object, though not for all listeners of the Gateway, MUST … provide the `sectionName` field of target reference with the name of the targeted listener.',
    skip: needsTargets('Gateway#listener'),
    async run(context) {
      const { client, subject, policy, policyName } = context;
      await createWorld(context);
      await policy('there', 'Gateway edge#http');
      await policy('missing', 'Gateway edge#https');
      await client.until(policyName('there'), says(subject, ['Accepted', 'True']));
      await client.until(policyName('missing'), says(subject, ['Accepted', 'False']));
    },
  },
  {
    id: 'rejected-is-not-programmed',
    profile,
    level: 'SHOULD',
    line: 948,
    sentence: 'Non-accepted policy objects are also not Programmed and not Overridden',
    skip: never,
    async run(context) {
      const { client, subject, policy, policyName } = context;
      await policy('early', worldFor(subject).target);
      const rejected = await client.until(policyName('early'), says(subject, ['Accepted', 'False']));
      const fault = everyEntry(subject, (entry) =>
        conditionIn(entry, 'Programmed') === undefined ? undefined : 'a policy that is not accepted says Programmed',
      )(rejected);
      if (fault !== undefined) throw new CheckFailure(fault, [rejected]);
    },
  },
  {
    id: 'reference-grant',
    profile: 'POLICY-GRANTS',
    level: 'MUST',
    line: 344,
    sentence:
      'Implementations that opt for designing policies that allow for cross namespace references MUST support one of the following combined approaches … ReferenceGrants … or some other form of equivalent handshake that ensures that the target is accepting the policy.',
    skip: ({ referenceGrants }) =>
      referenceGrants ? undefined : 'policies of the kind do not target other namespaces by ReferenceGrants',
    async run(context) {
      const { client, elsewhere, subject, policy, policyName } = context;
      const { target, object, others } = worldFor(subject);
      await elsewhere.create(...others, object);
      await policy('far', target, { targetNamespace: elsewhere.namespace });
      await client.until(policyName('far'), says(subject, ['Accepted', 'False']));
      const grant = { apiVersion: 'gateway.networking.k8s.io/v1beta1', kind: 'ReferenceGrant', name: 'grant' };
      const { group, kind } = subject.policy;
      const { group: toGroup, kind: toKind } = targetRef(target);
      const from = [{ group, kind, namespace: client.namespace }];
      const spec = { from, to: [{ group: toGroup, kind: toKind }] };
      await elsewhere.create({ apiVersion: grant.apiVersion, kind: grant.kind, metadata: { name: grant.name }, spec });
      await client.until(policyName('far'), says(subject, ['Accepted', 'True']));
      await elsewhere.remove(grant);
      await client.until(policyName('far'), says(subject, ['Accepted', 'False']));
    },
  },
];

/** Returns the definition of the kind in the version under test. */
async function versionOf({ client, subject }: CheckContext): Promise<JsonObject> {
  const { group, plural, version } = subject.policy;
  const name = `${plural}.${group}`;
  const definition = await client.readCluster(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`);
  const versions = isJsonObject(definition?.spec) ? objectsIn(definition.spec.versions) : [];
  const found = versions.find((it) => it.name === version);
  if (found === undefined)
    throw new CheckFailure(`the CustomResourceDefinition ${name} with ${version} does not exist`);
  return found;
}

async function schemaOf(context: CheckContext): Promise<JsonObject> {
  const { schema } = await versionOf(context);
  return fieldsOf(isJsonObject(schema) ? schema.openAPIV3Schema : undefined);
}

function fieldsOf(schema: unknown): JsonObject {
  return isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
}
