import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';

/** The group, version and kind of guarantees as resources. The group does not belong to a domain of the Internet. */
export const guaranteeKind = {
  group: 'verify.policy-machinery',
  version: 'v1alpha1',
  kind: 'Guarantee',
  plural: 'guarantees',
  scope: 'Cluster',
} as const;

const text = (description: string, more: JsonObject = {}): JsonObject => ({ type: 'string', description, ...more });
const list = (items: JsonObject, description: string): JsonObject => ({
  type: 'array',
  description,
  minItems: 1,
  maxItems: 64,
  items,
});
const object = (properties: JsonObject, description: string, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  description,
  properties,
  ...more,
});

const expression: JsonObject = { minLength: 1, maxLength: 4096 };
const name: JsonObject = { type: 'string', minLength: 1, maxLength: 253 };
const labelled = (description: string): JsonObject =>
  object(
    {
      matchLabels: { type: 'object', maxProperties: 64, additionalProperties: { type: 'string', maxLength: 63 } },
      matchExpressions: list(
        object(
          {
            key: { type: 'string', minLength: 1, maxLength: 317 },
            operator: { type: 'string', enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'] },
            values: { type: 'array', maxItems: 64, items: { type: 'string', maxLength: 63 } },
          },
          'A condition on one label.',
          { required: ['key', 'operator'] },
        ),
        'Conditions. All must be true.',
      ),
    },
    description,
  );

const objects = (description: string): JsonObject =>
  object(
    {
      namespaces: list(name, 'The namespaces of the objects.'),
      names: list(name, 'The names of the objects.'),
      labels: labelled('The labels of the objects.'),
      namespaceLabels: labelled('The labels of their namespaces.'),
    },
    description,
  );

const hostname: JsonObject = {
  type: 'string',
  maxLength: 253,
  pattern: '^(\\*\\.)?[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?)*$',
};
const path = object(
  {
    type: text('How paths are compared. Default PathPrefix.', { enum: ['Exact', 'PathPrefix'] }),
    value: text('The path or prefix, such as /cart.', { maxLength: 1024, pattern: '^/[^?#]*$' }),
  },
  'A path, or a prefix of paths in whole segments.',
  { required: ['value'] },
);
const headerName: JsonObject = { maxLength: 256, pattern: "^[-A-Za-z0-9!#$%&'*+.^_`|~]+$" };
const header = object(
  {
    name: text('The name, regardless of case.', headerName),
    value: text('The value. Default: any.', { maxLength: 4096 }),
  },
  'A header that requests must have.',
  { required: ['name'] },
);

const requests = (description: string): JsonObject =>
  object(
    {
      gateways: objects('Only requests to these Gateways; in a mesh, to these Services.'),
      listeners: list(name, 'Only requests to listeners of these names; in a ListenerSet, namespace/name/listener.'),
      hostnames: list(hostname, 'Only requests to these hosts, or below wildcards such as *.example.com.'),
      paths: list(path, 'Only requests to these paths.'),
      methods: list({ type: 'string', maxLength: 32, pattern: '^[A-Z]+$' }, 'Only requests with these methods.'),
      headers: list(header, 'Only requests with all of these headers.'),
      routes: objects('Only requests that these routes take.'),
      backends: objects('Only requests to these backends.'),
      where: text('Only requests that make this CEL expression true.', expression),
    },
    description,
  );

const other = object(
  {
    gateways: objects('It arrives at these Gateways, each apart from its own; in a mesh, at these Services.'),
    withoutHeaders: list({ type: 'string', ...headerName }, 'It lacks these headers.'),
    shadowed: {
      type: 'boolean',
      enum: [true],
      description: 'It is the same request, at each rule that would take it without the rule that takes it.',
    },
  },
  'The other request of a comparison, apart from this the same. Default: requests are not compared.',
  {
    'x-kubernetes-validations': [
      {
        rule: '!has(self.shadowed) || (!has(self.gateways) && !has(self.withoutHeaders))',
        message: 'shadowed is about the same request: leave out gateways and withoutHeaders',
      },
    ],
  },
);

const spec = object(
  {
    description: text('The meaning of the guarantee, in a sentence for people.', { maxLength: 1024 }),
    about: text('The subject: requests (default) or policies.', { enum: ['requests', 'policies'] }),
    requests: requests('The requests that it is about. Default all.'),
    except: list(requests('Requests that it is not about.'), 'The requests that it is not about.'),
    other,
    holds: text('The CEL expression that must be true of each request.', expression),
    mayBeEmpty: {
      type: 'boolean',
      description: 'Whether it may be about no requests or policies at all. Default false, and gwpolicy verify fails.',
    },
  },
  'The expression that must hold for every request, or for every policy.',
  {
    required: ['holds'],
    'x-kubernetes-validations': [
      {
        rule: "!has(self.about) || self.about != 'policies' || (!has(self.requests) && !has(self.except) && !has(self.other))",
        message:
          'a guarantee about policies selects no requests: leave out requests, except and other, and ask in holds',
      },
    ],
  },
);

const condition = object(
  {
    type: { type: 'string', maxLength: 316 },
    status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
    reason: { type: 'string', maxLength: 1024 },
    message: { type: 'string', maxLength: 32_768 },
    observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
    lastTransitionTime: { type: 'string', format: 'date-time' },
  },
  'Whether the guarantee holds.',
  { required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'] },
);

/** The structural schema of the `spec` of a Guarantee. */
export const guaranteeSpecSchema = spec;

const column = (title: string, jsonPath: string, more: JsonObject = {}) => ({
  name: title,
  type: 'string',
  jsonPath,
  ...more,
});

/**
 * The CustomResourceDefinition of guarantees, so that a cluster has them as resources. They are cluster-scoped: who may write them is a question
 * of the whole cluster.
 */
export const guaranteeDefinition: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${guaranteeKind.plural}.${guaranteeKind.group}` },
  spec: {
    group: guaranteeKind.group,
    names: { kind: 'Guarantee', listKind: 'GuaranteeList', plural: guaranteeKind.plural, singular: 'guarantee' },
    scope: guaranteeKind.scope,
    versions: [
      {
        name: guaranteeKind.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          column('Holds', '.status.conditions[?(@.type=="Holds")].status'),
          column('Reason', '.status.conditions[?(@.type=="Holds")].reason'),
          column('Description', '.spec.description', { priority: 1 }),
        ],
        schema: {
          openAPIV3Schema: object(
            {
              apiVersion: { type: 'string' },
              kind: { type: 'string' },
              metadata: { type: 'object' },
              spec,
              status: object(
                {
                  conditions: {
                    type: 'array',
                    maxItems: 8,
                    items: condition,
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['type'],
                  },
                },
                'The result of the last verification.',
              ),
            },
            'A rule that must hold for every request, proved or refuted by a request.',
            { required: ['spec'] },
          ),
        },
      },
    ],
  },
};
