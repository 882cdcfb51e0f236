import type { KubernetesObject } from '@policy-machinery/resource';
import type { AttachedPolicy } from '../attachment/attach-context.ts';
import { Crowds } from '../attachment/crowds.ts';
import { type BrokenCycles, noCycles } from '../cycles/break-cycles.ts';
import { KindLinks } from '../model/kind-links.ts';
import type { Kinds } from '../model/kinds.ts';
import type { PolicyNode } from '../model/policy-node.ts';
import { Grants } from '../references/grants.ts';
import { Lookup } from '../references/lookup.ts';
import type { PolicyRefs } from '../references/policy-refs.ts';
import type { Relaying } from '../references/relays.ts';
import type { Resolution } from '../references/resolve.ts';
import { SelectionLimits } from '../references/selection-limits.ts';
import { Selections } from '../references/selections.ts';
import { Memberships } from '../targets/memberships.ts';
import type { Named } from '../targets/named.ts';
import { NamespaceIndex } from '../targets/namespace-index.ts';
import type { Target, WholeTarget } from '../targets/target.ts';
import { VirtualResources } from '../targets/virtual.ts';
import { ChangeLog } from './change-log.ts';
import type { Contest } from './contest.ts';
import { IssueBook } from './issue-book.ts';
import { referrersOf } from './referrers.ts';
import { Strangers } from './strangers.ts';

/** The state of a topology. The functions that renew it after a change have their own files, one for each step. */
export class TopologyState {
  readonly kinds: Kinds;
  /** The resources of all changes, including those that do not count while they are being deleted. */
  readonly given = new Map<string, KubernetesObject>();
  readonly virtual: VirtualResources;
  readonly grants = new Grants();
  readonly namespaces = new NamespaceIndex();
  /** The number of targets, including sections. */
  size = 0;
  readonly selections = new Selections(() => this.namespaces.of());
  readonly memberships: Memberships;
  readonly selectionLimits = new SelectionLimits();
  /** The sections with ambiguous names. */
  readonly untargetable = new Set<Target>();
  /** The references that dangle, by holder: as they were resolved, and the relaying ones as they were decided. */
  readonly dangling = {
    links: new Map<Target, readonly Resolution[]>(),
    relays: new Map<Target, readonly Resolution[]>(),
  };
  /** The kinds with links between their targets, now or earlier. */
  readonly kindLinks = new KindLinks();
  cycles: BrokenCycles = noCycles();
  /** The relaying references, by holder. */
  readonly relays = new Map<Target, readonly Relaying[]>();
  /** The closed ends of relaying references, by holder. */
  readonly closed = new Map<Target, ReadonlySet<Target>>();
  /** The contests at sections, and the rivals that these do not keep. */
  readonly contests = new Map<Target, Contest>();
  /** The number of sections with undecided links. */
  undecidedSections = 0;
  readonly policies = new Map<string, AttachedPolicy>();
  /** The policies of each kind, by locator. */
  readonly policiesByKind = new Map<string, Named<AttachedPolicy>>();
  /** The policies attached to each target, in the order of their locators. */
  readonly attached = new Map<Target, readonly PolicyNode[]>();
  readonly policyRefs = new Map<Target, PolicyRefs>();
  /** The policies that are attached by selectors. */
  readonly crowds = new Crowds();
  readonly issues = new IssueBook();
  /** The ignored resources that look like policies. */
  readonly strangers: Strangers;
  /** Whether the fields of all resources are still to be checked, when issues are read. */
  areFieldsUnread = false;
  readonly log = new ChangeLog();
  readonly lookup: Lookup;
  /** The number of changes. */
  version = 0;

  constructor(kinds: Kinds) {
    this.kinds = kinds;
    this.memberships = new Memberships(kinds.targets.values(), kinds.namespace);
    this.strangers = new Strangers(kinds, this.issues);
    this.virtual = new VirtualResources(kinds.targets.values());
    this.lookup = new Lookup(this);
  }

  /** Returns a target by locator. O(1), like {@link WholeTarget.sectionNamed}. */
  target(locator: string): Target | undefined {
    const { kind, namespace, name, section } = partsOf(locator);
    const targetKind = this.kinds.targets.get(kind);
    const object = targetKind && this.namespaces.find(targetKind, namespace, name);
    return section === undefined ? object : object?.sectionNamed(section);
  }

  /** Returns whether a target still exists. */
  holds(target: Target): boolean {
    const { object } = target;
    const { kind, namespaceEntry, resource } = object;
    if (this.namespaces.find(kind, namespaceEntry.name, resource.metadata.name) !== object) return false;
    return target.section === undefined || object.sectionNamed(target.section.name) === target;
  }

  /** Returns a resource that counts, without virtual ones. */
  counting(locator: string): KubernetesObject | undefined {
    const resource = this.given.get(locator);
    const isGone = this.kinds.goEarly && resource !== undefined && this.kinds.isGone(resource);
    return isGone ? undefined : resource;
  }

  /** Returns a resource that counts, including virtual ones. */
  readonly resource = (locator: string): KubernetesObject | undefined =>
    this.counting(locator) ?? this.virtual.get(locator);

  readonly referrers = (object: WholeTarget): Iterable<WholeTarget> => referrersOf(this, object);

  /** Returns whether there is a policy, by locator, attached or not. */
  readonly hasPolicy = (locator: string): boolean => {
    const resource = this.counting(locator);
    return resource !== undefined && this.kinds.of(resource)?.policy !== undefined;
  };
}

/** Returns the parts of a locator; parts that match nothing if the text is not a locator. */
function partsOf(locator: string) {
  const colon = locator.indexOf(':');
  const hash = locator.indexOf('#', colon);
  const whole = hash < 0 ? locator : locator.slice(0, hash);
  const slash = whole.indexOf('/', colon);
  return {
    kind: locator.slice(0, Math.max(colon, 0)),
    namespace: slash < 0 ? undefined : whole.slice(colon + 1, slash),
    name: whole.slice(Math.max(colon, slash) + 1),
    section: hash < 0 ? undefined : locator.slice(hash + 1),
  };
}
