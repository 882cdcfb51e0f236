import type { KubernetesObject } from '@policy-machinery/resource';

/** The namespace of the script, which creates and deletes it. */
export const namespace = 'differential';

const group = 'differential.example.com';

/** The `apiVersion` of widgets. */
export const apiVersion = `${group}/v1`;

/** Returns the URL of the widgets of all namespaces, in a version. */
export const allWidgets = (version = 'v1'): string => `/apis/${group}/${version}/widgets`;

/** Returns the URL of the widgets of the script, or of one of them. */
export const widgets = (name?: string): string =>
  `/apis/${group}/v1/namespaces/${namespace}/widgets${name === undefined ? '' : `/${name}`}`;

const condition = {
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string' } },
  'x-kubernetes-preserve-unknown-fields': true,
};

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        colour: { type: 'string' },
        parts: { type: 'array', items: { type: 'string' } },
      },
    },
    status: {
      type: 'object',
      properties: {
        conditions: {
          type: 'array',
          items: condition,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
        },
      },
    },
  },
};

const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: schema },
  subresources: { status: {} },
});

/** The definition of a kind with a status, and with conditions that several managers may write. */
export const widgetDefinition: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList', shortNames: ['wd'] },
    versions: [version('v1', true), version('v1beta1', false)],
  },
};

/** Returns a widget. */
export const widget = (name: string, spec: object = {}, metadata: object = {}): object => ({
  apiVersion,
  kind: 'Widget',
  metadata: { name, ...metadata },
  spec,
});
