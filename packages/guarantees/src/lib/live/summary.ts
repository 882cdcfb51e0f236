import type { Contender } from '../requests/contender.ts';
import type { BrokenClass, FailingRequests, HiddenBy } from '../verify/broken-class.ts';
import type { RequestSpace } from './request-space.ts';

/** Facts about the requests to one Gateway or Service, as far as a guarantee is about them. */
export interface Summary {
  readonly space: RequestSpace;
  /** The number of classes of requests that were considered. */
  readonly classes: number;
  /** The matches that take them. */
  readonly considered: Iterable<Contender>;
  readonly broken: readonly BrokenClass[];
  /** The requests of broken and hidden classes that break the guarantee. */
  readonly failing: ReadonlyMap<Contender, readonly FailingRequests[]>;
  /** The doubts about whether requests that matches take break the guarantee. */
  readonly hidden: ReadonlyMap<Contender, readonly HiddenBy[]>;
  readonly errors: readonly string[];
}
