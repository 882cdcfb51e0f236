import type { JsonObject } from '@policy-machinery/resource';

/** A DNS subdomain, as a part of a pattern. */
export const subdomain = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';

/** A DNS label, such as the name of a namespace. */
export const dnsLabel = { type: 'string', minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' };

/** A DNS subdomain, such as the name of a section. */
export const dnsSubdomain = { type: 'string', minLength: 1, maxLength: 253, pattern: `^${subdomain}$` };

/** An API group; empty for the core group. */
export const groupSchema = { type: 'string', maxLength: 253, pattern: `^$|^${subdomain}$` };

export const kindSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 63,
  pattern: '^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$',
};

export const nameSchema = { type: 'string', minLength: 1, maxLength: 253, pattern: '^[^/#]+$' };

/** The name of a controller: a domain and a path. */
export const controllerNameSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 253,
  pattern: `^${subdomain}\\/[A-Za-z0-9\\/\\-._~%!$&'()*+,;=:]+$`,
};

export const labelSelectorFields: JsonObject = {
  matchLabels: { type: 'object', description: 'Labels, with their values.', additionalProperties: { type: 'string' } },
  matchExpressions: {
    type: 'array',
    description: 'Conditions on labels. All must be true.',
    'x-kubernetes-list-type': 'atomic',
    items: {
      type: 'object',
      required: ['key', 'operator'],
      properties: {
        key: { type: 'string' },
        operator: { type: 'string', enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'] },
        values: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'string' } },
      },
    },
  },
};
