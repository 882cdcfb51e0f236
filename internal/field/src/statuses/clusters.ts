import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isJsonObject, type JsonObject, objectIn, objectsIn } from '@policy-machinery/resource';
import { parseAllDocuments } from 'yaml';

/** The objects of a cluster, with the statuses that a system writes. */
export interface Cluster {
  readonly name: string;
  readonly objects: readonly JsonObject[];
}

/** The clusters of a system, in the tests of its controller. */
export interface SystemClusters {
  readonly system: string;
  /** The folder in the data of existing systems: in `clones/`, the repository of a system. */
  readonly folder: string;
  /** Reads the clusters of the folder. */
  readonly read: (folder: string) => readonly Cluster[];
}

/** The class of the Gateways, which the clusters of Envoy Gateway leave out. */
const gatewayClass = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'GatewayClass',
  metadata: { name: 'envoy-gateway-class' },
  spec: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
};

/** The systems with tests that write statuses of policies. */
export const systemClusters: readonly SystemClusters[] = [
  { system: 'Envoy Gateway', folder: 'envoy-gateway-statuses', read: lists },
  {
    system: 'agentgateway',
    folder: 'clones/agentgateway_agentgateway/controller/pkg/agentgateway/plugins/testdata',
    read: agentgatewayTests,
  },
  { system: 'Istio', folder: 'clones/istio_istio/pilot/pkg/config/kube/gateway/testdata', read: istioTests },
  { system: 'kgateway', folder: 'kgateway-statuses', read: lists },
];

/** Reads clusters as Lists with statuses. */
function lists(folder: string): readonly Cluster[] {
  return filesIn(folder, '.json').map((file) => {
    const objects = objectsIn((JSON.parse(readFileSync(join(folder, file), 'utf8')) as JsonObject).items);
    const isComplete = objects.some(({ kind }) => kind === 'GatewayClass');
    return { name: basename(file, '.json'), objects: isComplete ? objects : [...objects, gatewayClass] };
  });
}

/** Reads tests with an input and, below it, the statuses. The objects of `_defaults.yaml` are in each cluster of a folder. */
function agentgatewayTests(folder: string): readonly Cluster[] {
  return ['backendpolicy', 'frontendpolicy', 'trafficpolicy'].flatMap((name) => {
    const path = join(folder, name);
    const common = documentsOf(join(path, '_defaults.yaml'));
    const tests = filesIn(path, '.yaml').filter((file) => !file.startsWith('_'));
    return tests.map((file) => {
      const documents = documentsOf(join(path, file));
      const statuses = documents.flatMap(({ kind, status }) => (kind === undefined ? objectsIn(status) : []));
      const given = documents.filter(({ kind }) => kind !== undefined);
      return { name: `${name}/${basename(file, '.yaml')}`, objects: withStatuses([...common, ...given], statuses) };
    });
  });
}

/** Reads tests with the statuses in a file of their own. */
function istioTests(folder: string): readonly Cluster[] {
  const suffix = '.status.yaml.golden';
  return filesIn(folder, suffix).map((file) => {
    const name = basename(file, suffix);
    const objects = documentsOf(join(folder, `${name}.yaml`));
    return { name, objects: withStatuses(objects, documentsOf(join(folder, file))) };
  });
}

/** Returns objects with the statuses of objects of the same kind and name. Inputs may have earlier statuses. */
function withStatuses(objects: readonly JsonObject[], statuses: readonly JsonObject[]): readonly JsonObject[] {
  const byName = new Map(statuses.map((object) => [keyOf(object), object.status ?? {}]));
  return [...new Map(objects.map((object) => [keyOf(object), object])).values()].map((object) => {
    const status = byName.get(keyOf(object));
    return status === undefined ? object : { ...object, status };
  });
}

function keyOf({ kind, metadata }: JsonObject): string {
  const { namespace, name } = objectIn(metadata);
  return [kind, namespace ?? 'default', name].join(' ');
}

function documentsOf(path: string): readonly JsonObject[] {
  if (!existsSync(path)) return [];
  return parseAllDocuments(readFileSync(path, 'utf8'))
    .map((document) => document.toJS())
    .filter(isJsonObject);
}

function filesIn(folder: string, suffix: string): readonly string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(suffix))
        .sort()
    : [];
}
