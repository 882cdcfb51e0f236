import { customResourceDefinition } from '@policy-machinery/crd';
import { guaranteeDefinition } from '@policy-machinery/guarantees/definition';
import type { KubernetesObject } from '@policy-machinery/resource';
import { checkControllerName } from '@policy-machinery/resource/inner';
import { createTopology } from '@policy-machinery/topology';
import { watchesGuarantees } from '../guarantees/guarantee-options.ts';
import { configuredKindOf } from '../kinds/configured-kind.ts';
import { objectNameOf } from '../object-names.ts';
import { type DeployedNames, type DeploymentOptions, deploymentOf, type WebhookOptions } from './deployment.ts';
import { type DeclaredController, rightsOf } from './rights.ts';
import { rolesOf } from './roles.ts';
import { type WebhookManifests, webhookManifests } from './webhook.ts';

/**
 * Returns the manifests that a cluster needs to run a controller, in the order of their application: the definitions of its policy kinds, its
 * namespace, a ServiceAccount with the rights that the controller needs and no others, and its Deployment. With `webhook`, also the Service of the
 * webhook, its certificate, and the ValidatingWebhookConfiguration, which comes last: nothing is reviewed before the rest is there.
 *
 * With `namespaces`, the rights on namespaced kinds are Roles in these namespaces; a ClusterRole has the others.
 *
 * @param controller The options of `createPolicyController` that decide which objects the controller reads and writes. Share them with your program.
 * @param options The namespace, the image, and further options.
 * @returns The objects.
 * @throws {PolicyMachineryError} `invalid-controller-name`, and the errors of `createTopology` about the kinds and of `webhookConfiguration`.
 * @example
 * ```ts
 * const declared = { name: 'timeouts.example.com/controller', targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] };
 * const manifests = policyManifests(declared, { namespace: 'timeouts-system', image: 'example.com/timeouts:1.0.0' });
 * const controller = createPolicyController({ ...declared, connection: await connect() });
 * ```
 */
export function policyManifests(
  controller: DeclaredController,
  options: DeploymentOptions,
): readonly KubernetesObject[] {
  checkControllerName(controller.name);
  const { namespace, name = objectNameOf(controller.name) } = options;
  const labels = { 'app.kubernetes.io/name': labelOf(name) };
  const names = { name, namespace, labels };
  const definitions = controller.policyKinds.map(configuredKindOf).map(({ policyKind, options: { definition } }) => {
    return customResourceDefinition(policyKind, definition).definition;
  });
  const webhook = options.webhook && webhookOf(controller, names, options.webhook);
  const level = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  return [
    ...definitions,
    ...(watchesGuarantees(controller) ? [guaranteeDefinition] : []),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: level } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    ...rolesOf(rightsOf(controller), { name, namespace }),
    deploymentOf(controller, names, options, webhook?.secretName),
    ...(webhook?.objects ?? []),
  ];
}

function webhookOf(controller: DeclaredController, names: DeployedNames, options: WebhookOptions): WebhookManifests {
  const { targetKinds } = controller;
  const policyKinds = controller.policyKinds.map(configuredKindOf).map(({ policyKind }) => policyKind);
  const [domain = ''] = controller.name.split('/');
  return webhookManifests(names, domain, createTopology({ targetKinds, policyKinds }).requiredKinds, options);
}

/** Returns a name as the value of a label, which has at most 63 characters and ends with a letter or a digit. */
function labelOf(name: string): string {
  return /^.*[a-z0-9]/.exec(name.slice(0, 63))?.[0] ?? '';
}
