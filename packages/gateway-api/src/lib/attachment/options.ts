import type { GroupKind } from '@policy-machinery/resource';
import type { WhileDeleting } from '@policy-machinery/topology';
import type { DataPlane, DataPlaneOf } from '../listeners/data-plane.ts';

/** Options for linking resources of Gateway API. */
export interface GatewayApiOptions {
  /**
   * The source of the parents of routes and ListenerSets, and of the listeners that take requests. With `status`, the decision in the current status
   * counts: a controller knows facts that the specs do not contain. Where the status does not contain a decision, the specs of both ends count. The specs
   * always select the listeners of an accepted parent, if they allow any. With `spec`, only the specs count. Default `status`; with `statuses`, `spec`.
   */
  readonly attachment?: 'spec' | 'status' | undefined;
  /**
   * With `attachment: 'status'`: the controller that decides about routes, as in `status.parents[].controllerName`, if the GatewayClass of the parent
   * is not in the topology. Default: any.
   */
  readonly controllerName?: string | undefined;
  /** Whether routes with `useDefaultGateways: All` are below all Gateways with `defaultScope: All`, as in the experimental GEP-3793. Default: no. */
  readonly defaultGateways?: boolean | undefined;
  /**
   * The kinds of parents of routes besides Gateways and ListenerSets, as a whole or by section or port. They cannot be backends, so that no
   * route is part of a cycle. Default: none.
   */
  readonly parents?: readonly GroupKind[] | undefined;
  /**
   * Whether rules of HTTPRoutes may delegate to other HTTPRoutes, as in kgateway: by a backend of kind HTTPRoute, with a name or
   * `*`, or a label as in agentgateway (`app=cart`), or of kgateway's kind for a label. The specs of both decide, regardless of `attachment`. Default: no; then such a backend makes no
   * link.
   */
  readonly delegation?: boolean | undefined;
  /**
   * Whether routes and ListenerSets are in force only below a parent that accepts them: policies then do not affect a route if all its
   * parents are missing, refuse the route or have not accepted it yet, nor on backends that only such routes lead to. Default: yes. With
   * `false`, a route without a parent has its own context, where its policies are in force.
   */
  readonly needsParent?: boolean | undefined;
  /**
   * Whether Services may be parents of routes, as in a mesh (GAMMA). Each Service then has a frontend where requests to it begin: a
   * virtual resource of kind `ServiceFrontend`. Default: no; then such a parent makes no link.
   */
  readonly mesh?: boolean | undefined;
  /**
   * Whether an object in a namespace proves that the Namespace is there, so that policies can target it where the Namespace itself is not among
   * the resources. Default: no.
   */
  readonly provedNamespaces?: boolean | undefined;
  /**
   * The choices of the data plane where Gateway API leaves a choice to implementations: of all Gateways, or by the `controllerName` of their
   * classes. Default:
   * nothing is known, and answers that depend on it are undecided.
   */
  readonly dataPlane?: DataPlane | DataPlaneOf | undefined;
  /** Other names of the core group in parentRefs to Services: `core`, as in Linkerd. Default none. */
  readonly coreGroupSpellings?: readonly string[] | undefined;
  /**
   * Whether a resource counts while it is being deleted: until it is gone (`counts`), or not once its deletion begins (`is-gone`). Default `counts`.
   */
  readonly whileDeleting?: WhileDeleting | undefined;
  /**
   * Whether `planStatus` also plans the statuses of Gateways, ListenerSets and routes: listeners, parents, and whether they are
   * accepted. A Gateway is the controller's unless its GatewayClass names another one. Not useful with `attachment: 'status'`, because each status would
   * then confirm itself. Default: no.
   */
  readonly statuses?: boolean | undefined;
}

export function attachmentOf({
  attachment,
  statuses = false,
}: GatewayApiOptions): NonNullable<GatewayApiOptions['attachment']> {
  return attachment ?? (statuses ? 'spec' : 'status');
}
