import { type LabelSelector, matchesSelector } from '@policy-machinery/resource';
import { z } from 'zod';

const selector = z.custom<LabelSelector>((value) => {
  try {
    matchesSelector(value as LabelSelector);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}, 'expected a label selector');

const protocol = z.enum(['TCP', 'UDP', 'SCTP']).optional();
const portNumber = z.int().min(1).max(65535);

/** Accepts peers of unknown kinds, so the code that decides must fail closed. */
const adminPeer = z.looseObject({
  namespaces: selector.optional(),
  pods: z.strictObject({ namespaceSelector: selector, podSelector: selector }).optional(),
});

const adminPort = z.union([
  z.strictObject({ portNumber: z.strictObject({ protocol, port: portNumber }) }),
  z.strictObject({ portRange: z.strictObject({ protocol, start: portNumber, end: portNumber }) }),
  z.strictObject({ namedPort: z.string() }),
]);

function adminRules<const Actions extends readonly string[]>(actions: Actions) {
  const rule = { name: z.string().max(100).optional(), action: z.enum(actions), ports: z.array(adminPort).optional() };
  const peers = z.array(adminPeer).min(1).max(100);
  return z.strictObject({
    ingress: z
      .array(z.strictObject({ ...rule, from: peers }))
      .max(100)
      .optional(),
    egress: z
      .array(z.strictObject({ ...rule, to: peers }))
      .max(100)
      .optional(),
  });
}

/** The rules of an AdminNetworkPolicy. */
export const AdminRules = adminRules(['Allow', 'Deny', 'Pass']);

/** The rules of the BaselineAdminNetworkPolicy: there is nothing left to pass to. */
export const BaselineRules = adminRules(['Allow', 'Deny']);

const peers = z
  .array(
    z.strictObject({
      namespaceSelector: selector.optional(),
      podSelector: selector.optional(),
      ipBlock: z.looseObject({ cidr: z.string() }).optional(),
    }),
  )
  .optional();
const ports = z
  .array(
    z.strictObject({ protocol, port: z.union([portNumber, z.string()]).optional(), endPort: portNumber.optional() }),
  )
  .optional();

/** The rules of a NetworkPolicy: all of them allow. A list that is present, even an empty one, isolates the Pod. */
export const NetworkRules = z.strictObject({
  ingress: z.array(z.strictObject({ from: peers, ports })).optional(),
  egress: z.array(z.strictObject({ to: peers, ports })).optional(),
});

/** Traffic to a Pod, or from it. */
export type Direction = 'ingress' | 'egress';
export type AdminSpec = z.infer<typeof AdminRules>;
export type BaselineSpec = z.infer<typeof BaselineRules>;
export type NetworkSpec = z.infer<typeof NetworkRules>;
export type AdminRule = NonNullable<AdminSpec[Direction]>[number];
export type AdminPeer = z.infer<typeof adminPeer>;
export type AdminPort = z.infer<typeof adminPort>;
export type NetworkPeer = NonNullable<z.infer<typeof peers>>[number];
export type NetworkPort = NonNullable<z.infer<typeof ports>>[number];

/** A rule of either direction. */
export interface NetworkRule {
  readonly from?: readonly NetworkPeer[] | undefined;
  readonly to?: readonly NetworkPeer[] | undefined;
  readonly ports?: readonly NetworkPort[] | undefined;
}
