import type { GroupKind } from '@policy-machinery/resource';
import type { WhileDeleting } from '@policy-machinery/topology';

/** How Gateway API's resources are linked. */
export interface GatewayApiOptions {
  /**
   * What decides about the parents of routes and ListenerSets: only their spec and that of their parents (`spec`), or also
   * what a controller has accepted in their status (`status`), which lags behind but knows what the controller knows. Of an
   * accepted parent, the spec still says which listeners are meant. Default `spec`.
   */
  readonly attachment?: 'spec' | 'status';
  /** With `attachment: 'status'`: whose word counts, as in `status.parents[].controllerName`. Default: anyone's. */
  readonly controllerName?: string;
  /**
   * Whether routes with `useDefaultGateways: All` hang beneath all Gateways with `defaultScope: All`, as the experimental
   * GEP-3793 has it (H-09). Default no.
   */
  readonly defaultGateways?: boolean;
  /**
   * The kinds beneath which routes may hang besides Gateways and ListenerSets, as a whole or by section or port. They are no
   * backends: so no route can lead back to itself, which would be a loop for everyone. Default none.
   */
  readonly parents?: readonly GroupKind[];
  /**
   * Whether rules of HTTPRoutes may delegate to other HTTPRoutes, as in kgateway (H-10): a backend of kind HTTPRoute, by name or
   * `*`, or of kgateway's kind for a label. The specs of both decide, whatever `attachment` says. Default no: then such a backend
   * makes no link.
   */
  readonly delegation?: boolean;
  /**
   * Whether routes and ListenerSets are in force only below a parent that takes them in: policies have no effect on a route whose
   * parents are missing, refuse it or have not accepted it, nor on backends that only such routes lead to. Default yes. With `false`, a
   * route without a parent has a context of its own, in which its policies are in force.
   */
  readonly needsParent?: boolean;
  /**
   * Whether Services may be parents of routes, as in a mesh (GAMMA, H-04). Each Service then has a frontend, where requests to it
   * begin: a virtual resource of the kind `ServiceFrontend`. Default no: then such a parent makes no link.
   */
  readonly mesh?: boolean;
  /**
   * Whether a resource still counts while it is being deleted: until it is gone (`counts`), or no longer from the beginning of its
   * deletion (`is-gone`). Default `counts`.
   */
  readonly whileDeleting?: WhileDeleting;
  /**
   * Whether `planStatus` also plans the statuses of Gateways, ListenerSets and routes: listeners, parents, and whether they are
   * accepted. A Gateway is the controller's unless its GatewayClass names another one. Of no use with `attachment: 'status'`,
   * by which what is not in the status yet does not count. Default no.
   */
  readonly statuses?: boolean;
}
