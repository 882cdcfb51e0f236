import {
  type HttpRequest,
  matchRequest,
  type RequestAnswer,
  type RequestListener,
  type UnknownFact,
} from '@policy-machinery/gateway-api';
import type { KubernetesObject } from '@policy-machinery/resource';
import type { Report } from '../data/report.ts';
import type { ListenerRow, NodeId } from '../data/report-data.ts';
import { rulesOf } from '../data/route-rows.ts';

/** A rule that takes a request, or would. */
export interface AnsweredRule {
  /** The rule; the route if it lacks rules. */
  readonly node: NodeId;
  /** The listener, then the routes that delegate, each with its rule. */
  readonly entry: readonly NodeId[];
}

/** The answer to a request at one port of one Gateway. */
export interface PortAnswer {
  readonly gateway: NodeId;
  readonly port: number;
  /** The listener that takes the host of the request, if there is one. */
  readonly listener: NodeId | undefined;
  readonly winner: AnsweredRule | undefined;
  /** Rules that match as well, each with the rule of precedence that decided. */
  readonly lost: readonly (AnsweredRule & { readonly why: string })[];
  /** Rules that may take the request, each with the fact that decides and is not known, and those that may match and lose. */
  readonly undecided: readonly (AnsweredRule & { readonly dependsOn: UnknownFact; readonly isLost: boolean })[];
  /** How many routes at the listener do not match. */
  readonly unmatched: number;
}

interface KnownListener extends RequestListener {
  readonly node: NodeId;
}

/** Answers requests from the data of a page. */
export class Requests {
  readonly #report: Report;
  readonly #gateways: readonly (readonly [gateway: NodeId, listeners: readonly KnownListener[]])[];
  readonly #places = new Map<KubernetesObject, { readonly node: NodeId; readonly via: readonly NodeId[] }>();

  constructor(report: Report) {
    this.#report = report;
    const { gateways, routeLists } = report.data.requests;
    const routes = report.data.requests.routes.map((row) => this.#routeFrom(row));
    const lists = routeLists.map((list) => list.flatMap((place) => routes[place] ?? []));
    this.#gateways = gateways.map(([gateway, listeners]) => [
      gateway,
      listeners.map((row) => this.#listenerFrom(row, lists)),
    ]);
  }

  /**
   * Returns the answer to a request at each port of each Gateway, or at the port that it names. Ports with a listener for its host come first.
   *
   * @throws {PolicyMachineryError} `invalid-request`.
   */
  answer(request: HttpRequest): readonly PortAnswer[] {
    const answers = this.#gateways.flatMap(([gateway, listeners]) =>
      matchRequest(request, listeners, { regularExpressionPaths: 'both' }).map((answer) =>
        this.#portAnswer(gateway, answer),
      ),
    );
    const rank = ({ winner, listener }: PortAnswer) => (winner ? 0 : listener ? 1 : 2);
    return answers.sort((a, b) => rank(a) - rank(b));
  }

  #portAnswer(gateway: NodeId, answer: RequestAnswer<KnownListener>): PortAnswer {
    const { port, listener, winner, lost, undecided, unmatched } = answer;
    const ofListener = <Match extends { readonly listener: KnownListener }>(matches: readonly Match[]) =>
      matches.filter((it) => it.listener === listener);
    return {
      gateway,
      port,
      listener: listener?.node,
      winner: winner && this.#ruleOf(winner),
      lost: lost.map((match) => ({ ...this.#ruleOf(match), why: match.lostBy })),
      undecided: undecided.map((match) => {
        return { ...this.#ruleOf(match), dependsOn: match.dependsOn, isLost: match.lostBy !== undefined };
      }),
      unmatched: new Set(ofListener(unmatched).map(({ route }) => route)).size,
    };
  }

  #ruleOf({
    listener,
    route,
    ruleIndex,
  }: {
    readonly listener: KnownListener;
    readonly route: KubernetesObject;
    readonly ruleIndex: number;
  }): AnsweredRule {
    const { node, via } = this.#places.get(route) ?? { node: listener.node, via: [] };
    return { node: this.#report.node(node).sections[ruleIndex] ?? node, entry: [listener.node, ...via] };
  }

  #listenerFrom(row: ListenerRow, lists: readonly (readonly KubernetesObject[])[]): KnownListener {
    const { node, name, port, hostname, transport, lostBy, dependsOn, dataPlane, routes, delegated } = row;
    const attached = lists[routes] ?? [];
    const nodeOf = (route: KubernetesObject | undefined) => route && this.#places.get(route)?.node;
    return {
      ...{ node, name, port, hostname, transport, lostBy, dependsOn, routes: attached },
      ...(dataPlane !== undefined && { dataPlane }),
      ...(delegated !== undefined && { delegated: lists[delegated] ?? [] }),
      rootOf: (route) => {
        const [root] = this.#places.get(route)?.via ?? [];
        return attached.find((it) => nodeOf(it) === root);
      },
    };
  }

  #routeFrom([
    node,
    created,
    rules,
    hostnames = null,
    via = [],
  ]: Report['data']['requests']['routes'][number]): KubernetesObject {
    const { kind, name, namespace } = this.#report.node(node);
    const metadata = {
      name: namespace === undefined ? name : name.slice(namespace.length + 1),
      ...(namespace !== undefined && { namespace }),
      ...(created >= 0 && { creationTimestamp: new Date(created * 1_000).toISOString() }),
    };
    const spec = { ...(hostnames !== null && { hostnames }), rules: rulesOf(rules) };
    const [bare = kind] = kind.split('.'); // The name of a kind may have its group.
    const route = { apiVersion: 'gateway.networking.k8s.io/v1', kind: bare, metadata, spec };
    this.#places.set(route, { node, via });
    return route;
  }
}
