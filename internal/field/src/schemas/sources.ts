/** Where the CustomResourceDefinitions of a release of a project are from. */
export interface SchemaSource {
  /** The name of the data file: `envoy-gateway`. */
  readonly name: string;
  /** The groups whose kinds are the project's. Projects have copies of the definitions of others. */
  readonly groups: readonly string[];
  /** The release in messages. */
  readonly release: string;
  /** The place of the files, for readers. */
  readonly url: string;
  /** A Go module of a release, with a folder of definitions; or a folder of `crds/` or `clones/` in the data of existing systems. */
  readonly from: { readonly module: string; readonly folder: string } | { readonly copies: string };
}

/** The projects, with the release that is shipped. */
export const schemaSources: readonly SchemaSource[] = [
  {
    name: 'gateway-api',
    groups: ['gateway.networking.k8s.io', 'gateway.networking.x-k8s.io'],
    // Its experimental channel has all fields of the standard one.
    release: 'Gateway API v1.6.1',
    url: 'https://github.com/kubernetes-sigs/gateway-api/tree/v1.6.1/config/crd/experimental',
    from: { module: 'sigs.k8s.io/gateway-api@v1.6.1', folder: 'config/crd/experimental' },
  },
  {
    name: 'envoy-gateway',
    groups: ['gateway.envoyproxy.io'],
    release: 'Envoy Gateway v1.9.0',
    url: 'https://github.com/envoyproxy/gateway/tree/v1.9.0/charts/gateway-helm/charts/crds/crds/generated',
    from: {
      module: 'github.com/envoyproxy/gateway@v1.9.0',
      folder: 'charts/gateway-helm/charts/crds/crds/generated',
    },
  },
  {
    name: 'kuadrant',
    groups: ['kuadrant.io', 'extensions.kuadrant.io'],
    release: 'Kuadrant v1.5.2',
    url: 'https://github.com/Kuadrant/kuadrant-operator/tree/v1.5.2/config/crd/bases',
    from: { module: 'github.com/kuadrant/kuadrant-operator@v1.5.2', folder: 'config/crd/bases' },
  },
  {
    name: 'istio',
    groups: ['security.istio.io', 'telemetry.istio.io', 'extensions.istio.io', 'networking.istio.io'],
    release: 'Istio v1.32.0',
    url: 'https://github.com/istio/api/tree/v1.32.0/kubernetes',
    from: { module: 'istio.io/api@v1.32.0', folder: 'kubernetes' },
  },
  ...copies([
    ['agentgateway', 'agentgateway.dev', 'agentgateway_agentgateway', '2026-08-21', '75b4e6ce6'],
    ['NGINX Gateway Fabric', 'gateway.nginx.org', 'nginx_nginx-gateway-fabric', '2026-08-20', 'e55bfe339'],
    ['Gloo Gateway', 'gateway.solo.io', 'solo-io_gloo', '2026-08', 'main'],
    [
      'AWS Gateway API Controller',
      'application-networking.k8s.aws',
      'aws_aws-application-networking-k8s',
      '2026-08',
      'main',
    ],
    ['Google Kubernetes Engine', 'networking.gke.io', 'GoogleCloudPlatform_gke-gateway-api', '2026-08', 'main'],
    ['Apache APISIX', 'apisix.apache.org', 'apache_apisix-ingress-controller', '2026-08', 'main'],
    ['Airlock Microgateway', 'microgateway.airlock.com', 'airlock_microgateway', '2026-08', 'main'],
  ]),
];

/** Returns the sources of projects with definitions copied from a branch, alone or with the repository. */
function copies(
  rows: readonly (readonly [system: string, group: string, folder: string, date: string, commit: string])[],
) {
  return rows.map(([system, group, folder, date, commit]): SchemaSource => {
    const name = system.toLowerCase().replaceAll(' ', '-');
    const url = `https://github.com/${folder.replace('_', '/')}/tree/${commit}`;
    return { name, groups: [group], release: `${system} of ${date}`, url, from: { copies: `crds/${folder}` } };
  });
}
