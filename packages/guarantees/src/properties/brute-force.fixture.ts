import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import {
  type DataPlane,
  type HttpRequest,
  type RequestMatch,
  type RequestTrace,
  type Traced,
  type TraceOptions,
  traceRequest,
} from '@policy-machinery/gateway-api';
import { requestPaths } from '@policy-machinery/gateway-api/inner';
import { isJsonObject, type JsonValue, type KubernetesObject, objectsIn, specOf } from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import type { Verdict } from '../lib/verify/verdict.ts';
import { type Backend, receivers } from './worlds.fixture.ts';

/** A request at a port, with the limit that it meets on a path. */
export interface Asked {
  readonly host: string;
  readonly path: string;
  readonly method: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly query: ReadonlyMap<string, string>;
  readonly port: number;
  /** The name of the listener where it arrives. */
  readonly listener: string;
  /** `undefined` if no policy is met. */
  readonly limit: number | undefined;
  /** Whether a rule takes it. */
  readonly isTaken: boolean;
  /** The backend that receives it; `undefined` if none does. */
  readonly backend: Backend | undefined;
}

/** A guarantee in words of this file: which requests it is about, and whether what is met will do. */
export interface Naive {
  readonly isMeant: (asked: Asked) => boolean;
  readonly isExcepted: (asked: Asked) => boolean;
  readonly holds: (asked: Asked) => boolean;
  /** Whether it is also about requests that no rule takes. Default: no. */
  readonly isAboutUntaken?: boolean;
}

/** The verdict, and how many classes of requests there are. */
export interface Expected {
  readonly answer: Verdict['answer'];
  readonly classes: number;
}

/** What is enumerated. */
export interface Enumeration {
  readonly objects: readonly KubernetesObject[];
  /** Objects with the words of the guarantees. */
  readonly words: readonly KubernetesObject[];
  /** Objects with texts that regular expressions of the objects may match. Default: none. */
  readonly texts?: readonly KubernetesObject[];
  /** The engine for regular expressions. Default: none. */
  readonly options?: Pick<TraceOptions, 'regularExpression'>;
  /** Whether HTTPS listeners serve requests for the hosts of others, as the data plane says. */
  readonly misdirectedRequests: DataPlane['misdirectedRequests'];
}

/** What happens to a request at one port: the classes of those that may take it, with the limits that it meets. */
interface Happening {
  readonly port: number;
  readonly classes: readonly Class[];
  /** If no match takes it for certain: the requests that none takes. */
  readonly untaken: Class | undefined;
  /** The classes of those that may take it with the server name of another listener. */
  readonly strays: readonly Class[];
}

interface Class {
  readonly key: string;
  readonly met: readonly Pick<Asked, 'listener' | 'limit' | 'isTaken' | 'backend'>[];
}

/**
 * Asks `traceRequest` about every request over the words of objects and guarantees, and some that none uses. Requests that differ only in methods,
 * headers and parameters that no object compares are asked about once.
 *
 * @param topology The topology.
 * @param enumeration What is enumerated.
 * @param effective The effective policies.
 * @param guarantees What is expected of each.
 * @returns What is expected, in the same order.
 */
export function enumerate(
  topology: Topology,
  { objects, words, texts = [], options = {}, misdirectedRequests }: Enumeration,
  effective: EffectivePolicies<{ limit?: number | undefined }>,
  guarantees: readonly Naive[],
): readonly Expected[] {
  const found = guarantees.map((naive) => ({
    naive,
    classes: new Set<string>(),
    answer: 'holds' as Verdict['answer'],
  }));
  const own = wordsIn([...objects, ...texts]);
  const known = new Map<string, readonly Happening[]>();
  for (const { request, client } of everyRequest([...objects, ...words, ...texts])) {
    const plain = plainRequest(request, own);
    const key = JSON.stringify([plain, client]);
    const tracing = {
      ...options,
      ...(client !== undefined && { client }),
      isStrict: misdirectedRequests === 'refused',
    };
    const happenings = known.get(key) ?? happeningsOf(topology, effective, plain, tracing);
    known.set(key, happenings);
    const [headers, query] = [new Map(request.headers), new Map(request.query)];
    for (const { classes, untaken, port, strays } of happenings) {
      for (const each of found) {
        const { isMeant, isExcepted, holds, isAboutUntaken = false } = each.naive;
        const all = isAboutUntaken && untaken !== undefined ? [...classes, untaken] : classes;
        const meantOf = ({ key: name, met }: Class) => ({
          name,
          about: met
            .map((each): Asked => ({ ...request, headers, query, port, ...each }))
            .filter((it) => isMeant(it) && !isExcepted(it)),
        });
        const [meant, stray] = [all.map(meantOf), strays.map(meantOf)];
        for (const { name, about } of [...meant, ...stray]) if (about.length > 0) each.classes.add(name);
        if (stray.some(({ about }) => !about.every(holds)) && each.answer === 'holds') each.answer = 'undecided';
        const broken = meant.filter(({ about }) => !about.every(holds));
        // Whichever of the matches takes the request: if none may, and if all of them break the guarantee, that is known.
        if (broken.length === 0) continue;
        if ((isAboutUntaken || untaken === undefined) && broken.length === all.length) each.answer = 'broken';
        else if (each.answer === 'holds') each.answer = 'undecided';
      }
    }
  }
  return found.map(({ answer, classes }) => ({ answer, classes: classes.size }));
}

function happeningsOf(
  topology: Topology,
  effective: EffectivePolicies<{ limit?: number | undefined }>,
  request: NaiveRequest,
  { isStrict, ...options }: TraceOptions & { readonly isStrict: boolean },
): readonly Happening[] {
  return traceRequest(topology, request, options).map((trace) => {
    const place = `${trace.port} ${trace.entry.locator} ${trace.listener?.locator}`;
    const classOf = (match: Traced<RequestMatch>): Class => ({
      key: keyOf(trace, match),
      met: pathsFrom(topology, match).flatMap((path) => {
        const limit = effective.along(path).at(-1)?.spec.limit;
        const listener = nameOf(match.listener);
        return receivers(match.route.resource, match.ruleIndex).map((backend) => ({
          listener,
          limit,
          isTaken: true,
          backend,
        }));
      }),
    });
    const refused = { listener: nameOf(trace.listener), limit: undefined, isTaken: false, backend: undefined };
    const untaken = trace.winner === undefined ? { key: `untaken ${place}`, met: [refused] } : undefined;
    const strays = isStrict ? [] : misdirected(topology, request, trace).map(classOf);
    return { port: trace.port, classes: takersIn(trace).map(classOf), untaken, strays };
  });
}

/** Returns the matches that may take a request. */
function takersIn({ undecided, winner }: RequestTrace): readonly Traced<RequestMatch>[] {
  return [...undecided.filter(({ lostBy }) => lostBy === undefined), ...(winner === undefined ? [] : [winner])];
}

/** Returns the matches that may take a request with the server name of another HTTPS listener of its port. */
function misdirected(topology: Topology, request: NaiveRequest, { entry, port, listener }: RequestTrace) {
  if (listener?.section?.value.protocol !== 'HTTPS') return [];
  const others = entry.sections.filter(({ section }) => section?.value.port === port);
  return others.flatMap(({ locator, section }) =>
    locator === listener.locator
      ? []
      : traceRequest(topology, { ...request, port, listener: String(section?.value.name) }, { gateway: entry }).flatMap(
          takersIn,
        ),
  );
}

function nameOf(listener: TargetNode | undefined): string {
  return String(listener?.section?.value.name ?? '');
}

/** Returns a request with one word in place of all methods, headers and parameters that no object compares. */
function plainRequest(request: NaiveRequest, { methods, headers, query }: Words): NaiveRequest {
  const plain = (pairs: NaiveRequest['headers'], used: Words['headers']): NaiveRequest['headers'] =>
    pairs.flatMap(([name, value]) => {
      const values = used.get(name);
      return values === undefined ? [] : [[name, values.has(value) ? value : 'z'] as const];
    });
  return {
    ...request,
    method: methods.has(request.method) ? request.method : 'PUT',
    headers: plain(request.headers, headers),
    query: plain(request.query, query),
  };
}

/** Returns all requests to Gateways, then those within the mesh: of each client to each Service. */
function* everyRequest(
  objects: readonly KubernetesObject[],
): Iterable<{ readonly request: NaiveRequest; readonly client?: string }> {
  const parents = objects.flatMap((each) => objectsIn(specOf(each).parentRefs));
  const services = new Set(parents.flatMap(({ kind, name }) => (kind === 'Service' ? [`${name}.n`] : [])));
  for (const request of requestsAbout(objects)) {
    yield { request };
    if (request.host !== anyHost) continue; // In a mesh, the host is the name of the Service.
    for (const host of services) {
      for (const client of ['n', 'm']) yield { request: { ...request, host }, client };
    }
  }
}

function pathsFrom(topology: Topology, { listener, via, route, rule }: Traced<RequestMatch>) {
  return [...requestPaths(topology, { listener, via, route, ...(rule && { rule }) })];
}

function keyOf({ entry, port }: RequestTrace, match: Traced<RequestMatch>): string {
  const { listener, route, via, ruleIndex, matchIndex, hostname } = match;
  const places = [entry, listener, ...via, route].map(({ locator }) => locator);
  return `${port} ${places.join(' ')} ${ruleIndex} ${matchIndex} ${hostname}`;
}

/** A host that no object has. */
const anyHost = 'z';

type NaiveRequest = Required<Pick<HttpRequest, 'host' | 'path' | 'method'>> & {
  readonly headers: readonly (readonly [string, string])[];
  readonly query: readonly (readonly [string, string])[];
};

/** Returns all requests over the words of the objects, with one word for everything else. */
export function* requestsAbout(objects: readonly KubernetesObject[]): Iterable<NaiveRequest> {
  const words = wordsIn(objects);
  const hosts = new Set([anyHost, ...[...words.hostnames].map((name) => name.replace('*', 'z'))]);
  const paths = new Set(['/z', '/']);
  for (const path of words.paths) {
    paths.add(path);
    if (path.endsWith('/')) paths.add(path.slice(0, -1) || '/');
    paths.add(`${path.replace(/\/$/, '')}/z`);
    if (words.calls.size > 0) paths.add(`${path.replace(/\/$/, '')}/z/z`); // It is not a call, whatever its first segments are.
  }
  if (words.calls.size > 0) {
    const segments = [...words.paths].map((path) => path.split('/').filter((part) => part !== ''));
    const services = [...words.services, ...segments.flatMap(([service]) => service ?? [])];
    const calls = [...words.calls, ...segments.flatMap(([, call]) => call ?? [])];
    for (const service of new Set([...services, 'z'])) {
      for (const call of new Set([...calls, 'z'])) paths.add(`/${service}/${call}`);
    }
  }
  for (const path of paths) if (path.includes('?') || !path.startsWith('/')) paths.delete(path);
  for (const host of hosts) {
    for (const path of paths) {
      for (const method of [...words.methods, 'PUT']) {
        for (const headers of choices(words.headers)) {
          for (const query of choices(words.query)) yield { host, path, method, headers, query };
        }
      }
    }
  }
}

/** Returns all ways to give names one of their values, or none. */
function choices(
  values: ReadonlyMap<string, ReadonlySet<string>>,
): readonly (readonly (readonly [string, string])[])[] {
  let all: (readonly (readonly [string, string])[])[] = [[]];
  for (const [name, own] of values)
    all = all.flatMap((pairs) => [pairs, ...[...own].map((value) => [...pairs, [name, value] as const])]);
  return all;
}

interface Words {
  readonly hostnames: Set<string>;
  readonly paths: Set<string>;
  readonly methods: Set<string>;
  readonly services: Set<string>;
  readonly calls: Set<string>;
  readonly headers: Map<string, Set<string>>;
  readonly query: Map<string, Set<string>>;
}

/** Collects the words of routes and listeners, by the names of fields. */
function wordsIn(objects: readonly KubernetesObject[]): Words {
  const words: Words = {
    hostnames: new Set(),
    paths: new Set(),
    methods: new Set(),
    services: new Set(),
    calls: new Set(),
    headers: new Map(),
    query: new Map(),
  };
  const visit = (value: JsonValue, key: string): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item as JsonValue, key);
    } else if (isJsonObject(value)) {
      if (key === 'path') words.paths.add(String(value.value));
      if (key === 'method') {
        words.services.add(String(value.service ?? 'z'));
        words.calls.add(String(value.method ?? 'z'));
      }
      if (key === 'headers' || key === 'queryParams') {
        const name = key === 'headers' ? String(value.name).toLowerCase() : String(value.name);
        const all = key === 'headers' ? words.headers : words.query;
        all.set(name, (all.get(name) ?? new Set(['z'])).add(String(value.value)));
      }
      for (const [name, inner] of Object.entries(value))
        if (inner !== undefined && key !== 'method') visit(inner, name);
    } else if (typeof value === 'string') {
      if (key === 'hostname' || key === 'hostnames') words.hostnames.add(value);
      if (key === 'method') words.methods.add(value);
      if (key === 'GRPCRoute') words.calls.add('z');
    }
  };
  for (const { kind, spec } of objects) {
    if (kind === 'GRPCRoute') {
      words.calls.add('z');
      words.methods.add('POST'); // The method of all calls.
    }
    visit(spec as JsonValue, '');
  }
  return words;
}
