import { groupOf, type ResourceRef } from '@policy-machinery/resource';
import { type Cluster, readCluster } from './cluster.ts';
import type { Component, Drawn, KubeObject, PluginLib } from './headlamp.ts';
import { type Row, rowsFor } from './rows.ts';

/** The pages on which the section is shown. */
const shownKinds = new Set([
  ...['GatewayClass', 'Gateway', 'HTTPRoute', 'GRPCRoute', 'TCPRoute', 'TLSRoute', 'UDPRoute'].map(
    (kind) => `gateway.networking.k8s.io/${kind}`,
  ),
  '/Service',
]);

const columns = [
  { label: 'Where', getter: ({ where }: Row) => where },
  { label: 'Field', getter: ({ field }: Row) => field },
  { label: 'Value', getter: ({ value }: Row) => value },
  { label: 'Set by', getter: ({ setBy }: Row) => setBy },
  { label: 'What lost', getter: ({ lost }: Row) => lost },
];

/** Makes the section with the effective policies of an object. */
export function effectivePoliciesSection(lib: PluginLib): Component<{ readonly resource: KubeObject }> {
  const { createElement, useEffect, useState } = lib.React;
  const { SectionBox, SimpleTable } = lib.CommonComponents;

  const Policies: Component<{ readonly resource: KubeObject }> = ({ resource }) => {
    const [cluster, setCluster] = useState<Cluster | undefined>(undefined);
    const [failure, setFailure] = useState('');
    useEffect(() => {
      let isShown = true;
      const params = resource.cluster === undefined ? {} : { cluster: resource.cluster };
      readCluster((path) => lib.ApiProxy.request(path, params)).then(
        (read) => isShown && setCluster(read),
        (error: unknown) => isShown && setFailure(String(error)),
      );
      return () => {
        isShown = false;
      };
    }, [resource]);
    const content =
      cluster === undefined ? [text(failure || 'Reading the cluster …')] : contentOf(cluster, refOf(resource));
    return createElement(SectionBox, { title: 'Effective policies' }, ...content);
  };

  const text = (content: string): Drawn => createElement('p', { key: content }, content);
  const contentOf = ({ views, missing }: Cluster, ref: ResourceRef): readonly Drawn[] => {
    const tables = views.flatMap((view) => {
      const rows = rowsFor(view, ref);
      const { kind } = view.kind;
      if (rows.length === 0) return [];
      return [
        createElement('h3', { key: kind }, kind),
        createElement(SimpleTable, { key: `${kind} table`, columns, data: rows }),
      ];
    });
    const warnings = missing.map((why) => text(`This may be incomplete. ${why}`));
    return [...warnings, ...(tables.length === 0 ? [text('No policy applies here.')] : tables)];
  };

  // A component of its own, so that the hooks run on the pages that show the section, and on no other.
  return ({ resource }) => {
    const { apiVersion, kind } = resource.jsonData;
    return shownKinds.has(`${groupOf(apiVersion)}/${kind}`) ? createElement(Policies, { resource }) : null;
  };
}

function refOf({ jsonData: { apiVersion, kind, metadata } }: KubeObject): ResourceRef {
  const { name, namespace } = metadata;
  return { group: groupOf(apiVersion), kind, name, ...(namespace !== undefined && { namespace }) };
}
