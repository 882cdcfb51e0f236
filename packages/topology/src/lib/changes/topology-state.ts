import type { KubernetesObject } from '@policy-machinery/resource';
import type { AttachedPolicy } from '../attachment/attached-policy.ts';
import { ByKind } from '../attachment/by-kind.ts';
import { Crowds } from '../attachment/crowds.ts';
import { type BrokenCycles, noCycles } from '../cycles/broken-cycles.ts';
import { KindLinks } from '../cycles/kind-links.ts';
import type { DanglingReferences } from '../model/dangling-references.ts';
import type { Kinds } from '../model/kinds.ts';
import type { AttachableKind, PolicyNode } from '../model/policy-node.ts';
import { Grants } from '../references/grants.ts';
import { RecordingLookup } from '../references/lookup.ts';
import type { PolicyRefs } from '../references/policy-refs.ts';
import type { Relays } from '../references/relays.ts';
import { SelectionLimits } from '../references/selection-limits.ts';
import { Selections } from '../references/selections.ts';
import { NamespaceIndex } from '../targets/namespace-index.ts';
import type { Target } from '../targets/target.ts';
import { VirtualResources } from '../targets/virtual.ts';
import { ChangeLog } from './change-log.ts';
import { IssueBook } from './issue-book.ts';
import { Strangers } from './strangers.ts';

/** All that a topology holds. The functions that renew it after a change are in files of their own, in the order of their work. */
export class TopologyState {
  readonly kinds: Kinds;
  /** The resources that it was given, whether or not they count still. */
  readonly given = new Map<string, KubernetesObject>();
  readonly virtual: VirtualResources;
  readonly grants = new Grants();
  readonly namespaces = new NamespaceIndex();
  /** How many targets there are, sections among them. */
  size = 0;
  readonly selections = new Selections(() => this.namespaces.of());
  readonly selectionLimits = new SelectionLimits();
  /** Sections whose names do not tell them apart. */
  readonly untargetable = new Set<Target>();
  readonly dangling = new Map<Target, DanglingReferences>();
  readonly kindLinks = new KindLinks();
  cycles: BrokenCycles = noCycles();
  /** The relaying references, by what holds them. */
  readonly relays = new Map<Target, Relays>();
  /** What relaying references must not lead to, by what holds them. */
  readonly closed = new Map<Target, ReadonlySet<Target>>();
  readonly policies = new Map<string, AttachedPolicy>();
  readonly policiesByKind = new ByKind<AttachableKind, AttachedPolicy>();
  /** The policies attached to each target itself, in the order of their locators. */
  readonly attached = new Map<Target, readonly PolicyNode[]>();
  /** The policies that targets name. */
  readonly policyRefs = new Map<Target, PolicyRefs>();
  /** Which policies are attached to what they select. */
  readonly crowds = new Crowds();
  readonly issues = new IssueBook();
  /** Resources that it was given and ignores, although they look like policies. */
  readonly strangers: Strangers;
  /** Whether the issues of fields are still to be found: of all resources, when someone asks. */
  areFieldsUnread = false;
  readonly log = new ChangeLog();
  readonly lookup: RecordingLookup<Target | AttachedPolicy>;
  /** How many changes there have been. */
  version = 0;

  constructor(kinds: Kinds) {
    this.kinds = kinds;
    this.strangers = new Strangers(kinds, this.issues);
    this.virtual = new VirtualResources(kinds.targets.values());
    this.lookup = new RecordingLookup(this);
  }

  /** A target, by locator. O(1), as {@link WholeTarget.sectionNamed} is. */
  target(locator: string): Target | undefined {
    const { kind, namespace, name, section } = partsOf(locator);
    const known = this.kinds.targets.get(kind);
    const object = known && this.namespaces.find(known, namespace, name);
    return section === undefined ? object : object?.sectionNamed(section);
  }

  /** Whether a target is there still. */
  holds(target: Target): boolean {
    const { object } = target;
    const { kind, namespaceEntry, resource } = object;
    if (this.namespaces.find(kind, namespaceEntry.name, resource.metadata.name) !== object) return false;
    return target.section === undefined || object.sectionNamed(target.section.name) === target;
  }

  /** A resource that was given and counts. */
  counting(locator: string): KubernetesObject | undefined {
    const resource = this.given.get(locator);
    const isGone = this.kinds.goEarly && resource !== undefined && this.kinds.isGone(resource);
    return isGone ? undefined : resource;
  }

  /** A resource that counts, given or virtual. */
  readonly resource = (locator: string): KubernetesObject | undefined =>
    this.counting(locator) ?? this.virtual.get(locator);

  /** Whether there is a policy, by locator: whether or not it has been attached already. */
  readonly hasPolicy = (locator: string): boolean => {
    const resource = this.counting(locator);
    return resource !== undefined && this.kinds.of(resource)?.policy !== undefined;
  };
}

/** The parts of a locator; where it is none, they lead nowhere. */
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
