import type { GroupKind } from '@policy-machinery/resource';

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
}
