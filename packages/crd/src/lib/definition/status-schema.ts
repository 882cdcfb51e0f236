import type { JsonObject } from '@policy-machinery/resource';
import {
  controllerNameSchema,
  dnsLabel,
  dnsSubdomain,
  groupSchema,
  kindSchema,
  nameSchema,
  subdomain,
} from './common-schemas.ts';

/** Where the conditions of policies are: one list for each ancestor, or one for the whole policy. */
export type StatusForm = 'ancestors' | 'conditions';

/** Kubernetes' `metav1.Condition`. */
const condition: JsonObject = {
  type: 'object',
  required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
  properties: {
    type: {
      type: 'string',
      maxLength: 316,
      pattern: `^(${subdomain}/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`,
      description: 'The type of the condition.',
    },
    status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
    observedGeneration: {
      type: 'integer',
      format: 'int64',
      minimum: 0,
      description: 'The metadata.generation of the policy that the condition describes.',
    },
    lastTransitionTime: { type: 'string', format: 'date-time', description: 'When the status last changed.' },
    reason: {
      type: 'string',
      minLength: 1,
      maxLength: 1024,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
      description: 'The reason, as one CamelCase word for programs.',
    },
    message: { type: 'string', maxLength: 32768, description: 'The message, for people.' },
  },
};

const conditions: JsonObject = {
  type: 'array',
  maxItems: 8,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: condition,
};

/** Gateway API's `ParentReference`. Its defaults are those that the API server fills in for Gateway API's own policies. */
const ancestorRef: JsonObject = {
  type: 'object',
  required: ['name'],
  properties: {
    group: { ...groupSchema, default: 'gateway.networking.k8s.io' },
    kind: { ...kindSchema, default: 'Gateway' },
    namespace: dnsLabel,
    name: nameSchema,
    sectionName: dnsSubdomain,
    port: { type: 'integer', format: 'int32', minimum: 1, maximum: 65535 },
  },
};

/** The schema of `status`, by the form of statuses. */
export const statusSchemas: Readonly<Record<StatusForm, JsonObject>> = {
  ancestors: {
    type: 'object',
    description: 'The status of the policy.',
    required: ['ancestors'],
    properties: {
      ancestors: {
        type: 'array',
        description: 'The outcome of the policy for each ancestor of its targets, as each controller reports it.',
        maxItems: 16,
        'x-kubernetes-list-type': 'atomic',
        items: {
          type: 'object',
          required: ['ancestorRef', 'controllerName', 'conditions'],
          properties: {
            ancestorRef,
            controllerName: controllerNameSchema,
            conditions: { ...conditions, minItems: 1 },
          },
        },
      },
    },
  },
  conditions: { type: 'object', description: 'The status of the policy.', properties: { conditions } },
};
