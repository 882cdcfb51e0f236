import { groupKindKey, namespaceOf, parseLocator, refOf } from '@policy-machinery/resource';
import { groupedBy } from '@policy-machinery/resource/inner';
import {
  type Attachment,
  formatRef,
  formatTarget,
  type PolicyNode,
  type Reference,
  type TargetNode,
  type Topology,
  unseenIn,
} from '@policy-machinery/topology';
import { formatUnseen } from '@policy-machinery/topology/inner';
import type { CompiledGuarantee } from '../model/compile.ts';
import { coversPath } from '../model/selection.ts';
import type { VerifiedKind } from '../model/verified-kind.ts';
import { kindsRead } from './facts.ts';
import {
  gatewaysNotGiven,
  namedPoliciesNotGiven,
  namespacesNotGiven,
  type PolicyNotGiven,
  unnamedText,
} from './missing-input.ts';
import { lacksNamespace, possibleAttachments } from './possible-attachments.ts';

/** The unknowns of a topology with a part of the resources that may break guarantees. */
export class NotKnown {
  readonly #topology: Topology;
  readonly #kinds: readonly VerifiedKind[];
  /** Whether everything is given, so that everything is known. */
  readonly #isWhole: boolean;
  /** By holder, as of a version of the topology. */
  #references: ReadonlyMap<TargetNode, readonly Undecided[]> = new Map();
  #version = -1;

  constructor(topology: Topology, kinds: readonly VerifiedKind[]) {
    this.#topology = topology;
    this.#kinds = kinds;
    this.#isWhole = topology.requiredKinds.every((kind) => topology.isComplete(kind));
  }

  /**
   * Returns the unknowns that may break a guarantee, in sentences without a full stop. O(undecided references, unseen resources, and policies of
   * the kinds that it reads).
   *
   * @param classes How many classes of requests the guarantee is about; `undefined` if it is about policies.
   * @param taker The only rule with backends that count. Default: the requests of all rules count.
   */
  about(compiled: CompiledGuarantee, classes?: number, taker?: TargetNode | 'none'): readonly string[] {
    const unseen = this.#unseen(compiled);
    const policies = this.#policies(compiled, taker !== undefined);
    const namespaces = [...namespacesNotGiven(compiled, this.#topology).values()].sort();
    if (this.#isWhole) return firstOf([...new Set([...unseen, ...namespaces, ...policies])]);
    const isMeant = ({ from, reference: { direction } }: Undecided) =>
      taker === undefined || direction === 'up' || from === taker;
    const undecided = [...this.#undecided().values()].flat().filter(isMeant);
    const references = undecided.filter((it) => this.#mayBreak(it, compiled));
    const named = this.#named(compiled).filter(({ rule }) => taker === undefined || rule === taker);
    const gateways = classes === 0 && namespaces.length === 0 ? gatewaysNotGiven(compiled, this.#topology) : [];
    const names = named.map(({ rule, policy: { kind, name } }) => {
      return `${formatTarget(rule)} names ${kind} ${name}, which is not in this input`;
    });
    const found = [...references.map(textOf), ...unseen, ...namespaces, ...policies, ...names, ...gateways];
    return firstOf([...new Set(found)]);
  }

  /** Returns the locators of the objects with unknown facts that a guarantee reads: their policies or namespaces; in order. */
  undecidedAt(compiled: CompiledGuarantee): readonly string[] {
    const targets = this.#undecidedPolicies(compiled).flatMap(
      ({ node, declared }) => this.#targetOf(declared, node) ?? [],
    );
    const policies = new Set(this.#undecidedPolicies(compiled).map(({ node }) => node));
    const possible = possibleAttachments(this.#topology).filter(({ policy }) => policies.has(policy));
    targets.push(...possible.map(({ target }) => target));
    targets.push(...this.#named(compiled).map(({ rule }) => rule));
    targets.push(...namespacesNotGiven(compiled, this.#topology).keys());
    return [...new Set(targets.map(({ object }) => object.locator))].sort();
  }

  /** Returns whether requests of a rule may go to further backends, about which a guarantee says something. */
  isOpen(rule: TargetNode, compiled: CompiledGuarantee): boolean {
    if (this.#isWhole) return false;
    return (
      this.#undecided()
        .get(rule)
        ?.some((it) => this.#isAboutBackend(it, compiled)) === true
    );
  }

  /** Returns the routes and policies that are not in the topology although its targets show that they exist. */
  #unseen(compiled: CompiledGuarantee): readonly string[] {
    const { requests, guarantee } = compiled;
    const found = unseenIn(this.#topology).filter(({ by, creation, below }) => {
      if (creation !== undefined && !creation.kind.endsWith('Route')) {
        return this.#kindsOf(compiled).some((kind) => groupKindKey(kind) === groupKindKey(creation));
      }
      const { name, pathPrefix } = creation ?? { name: by.ref.name, pathPrefix: undefined };
      const gateways = below && [...below].filter(({ ref: { kind } }) => kind === 'Gateway').map(({ ref }) => ref);
      const route = {
        namespace: creation?.namespace ?? by.ref.namespace,
        name: name.includes('*') ? undefined : name,
        gateways,
        pathPrefix,
      };
      return requests.mayMeanUnseen(route) && guarantee.except?.some((it) => coversPath(it, pathPrefix)) !== true;
    });
    return found.map(formatUnseen);
  }

  /** Returns the policies that rules name and that are not given, of kinds that a guarantee reads. */
  #named(compiled: CompiledGuarantee): readonly PolicyNotGiven[] {
    const named = namedPoliciesNotGiven(this.#topology, this.#kindsOf(compiled));
    return named.filter(({ rule }) => compiled.requests.mayMean(rule.object, undefined));
  }

  #undecided(): ReadonlyMap<TargetNode, readonly Undecided[]> {
    const { version } = this.#topology;
    if (this.#version !== version) this.#references = undecidedIn(this.#topology);
    this.#version = version;
    return this.#references;
  }

  #mayBreak(undecided: Undecided, compiled: CompiledGuarantee): boolean {
    const {
      from: { object },
      reference: { direction, to },
      end,
    } = undecided;
    const isRoute = object.ref.kind.endsWith('Route');
    const gateway = to.kind === 'Gateway' ? parseLocator(end) : undefined;
    if (isRoute && !compiled.requests.mayMean(object, gateway)) return false;
    if (direction === 'up') return object.ref.kind !== 'Gateway'; // A Gateway without its class takes the same requests.
    return to.kind.endsWith('Route') || this.#isAboutBackend(undecided, compiled);
  }

  /** Returns whether a guarantee may be about a backend: it reads or selects it, or reads policies with an effect on it. */
  #isAboutBackend({ reference: { to }, end }: Undecided, compiled: CompiledGuarantee): boolean {
    const { requests, except, reads } = compiled;
    const { namespace, name } = parseLocator(end);
    const backend = { namespace, name: name === '?' ? undefined : name };
    if (!requests.mayMeanBackend(backend)) return false;
    return (
      [requests, ...except].some((it) => it.isMeantBackend !== undefined && it.mayMeanBackend(backend)) ||
      reads.some(([variable]) => variable === 'backend') ||
      this.#kindsOf(compiled).some(({ affects }) => affects === undefined || affects(to))
    );
  }

  /** Returns the policies with unknown targets; on request, only policies that may be on a way through the given resources. */
  #policies(compiled: CompiledGuarantee, isOnWay: boolean): readonly string[] {
    const possible = new Set(isOnWay ? possibleAttachments(this.#topology).map(({ policy }) => policy) : []);
    const isMissing = ({ node, declared, reason }: UndecidedPolicy): boolean =>
      !possible.has(node) && ('name' in declared || reason !== unnamedText);
    return this.#undecidedPolicies(compiled)
      .filter((it) => !isOnWay || !isMissing(it))
      .map(({ node: { resource, kind }, reason }) => `${formatRef(refOf(resource, kind.scope))} ${reason}`);
  }

  /** Returns the attachments that may be in force; if everything is given, without those to what controllers create. */
  #undecidedPolicies(compiled: CompiledGuarantee): readonly UndecidedPolicy[] {
    const isNamed = compiled.reads.some(
      ([root, _, field]) => root === 'policies' && (field === 'origins' || field === 'lost'),
    );
    return this.#kindsOf(compiled).flatMap(({ policies }) =>
      policies.flatMap(({ node }) => {
        const unnamed = isNamed && lacksNamespace(node) ? [unnamedText] : [];
        return node.attachments.flatMap(({ creator, declared, reason }) => {
          const isUndecided = reason !== undefined && !(this.#isWhole && creator);
          return [...unnamed, ...(isUndecided ? [reason] : [])].map((each) => ({ node, declared, reason: each }));
        });
      }),
    );
  }

  #targetOf(declared: Attachment['declared'], { resource }: PolicyNode): TargetNode | undefined {
    const namespace = namespaceOf(resource);
    return 'name' in declared ? this.#topology.get({ ...(namespace && { namespace }), ...declared }) : undefined;
  }

  #kindsOf({ guarantee, reads, concerns: asked }: CompiledGuarantee): readonly VerifiedKind[] {
    if (guarantee.about === 'policies') return this.#kinds;
    const serving = this.#kinds.filter(({ concerns }) =>
      asked.some((concern) => concerns === undefined || concerns.includes(concern)),
    );
    return [...new Set([...kindsRead(this.#kinds, reads).values(), ...serving])];
  }
}

interface UndecidedPolicy extends Pick<Attachment, 'declared'> {
  readonly node: PolicyNode;
  readonly reason: string;
}

/** A reference that leads to an unknown place. */
interface Undecided {
  readonly from: TargetNode;
  readonly reference: Reference;
  /** The locator of its target. */
  readonly end: string;
  /** The missing part, as the end of a sentence. */
  readonly why: string;
}

function undecidedIn({ unresolved, refused }: Topology): ReadonlyMap<TargetNode, readonly Undecided[]> {
  const all = [
    ...unresolved.map(({ missing, ...it }) => ({ ...it, end: missing, why: 'which is not' })),
    ...refused.map(({ to, message, ...it }) => ({ ...it, end: to, why: `and ${message}` })),
  ];
  return groupedBy(
    all.filter(({ isUndecided }) => isUndecided),
    ({ from }) => from,
  );
}

function textOf({ from, reference: { to }, end, why }: Undecided): string {
  const name = end.endsWith(':?') ? `objects of ${to.kind}` : formatRef({ ...parseLocator(end), kind: to.kind });
  return `${formatTarget(from)} refers to ${name}, ${why} in this input`;
}

/** Returns the unknowns about requests, and about the same requests before a change, each once. */
export function withEarlier(present: readonly string[], earlier: readonly string[] = []): readonly string[] {
  return [...present, ...earlier.flatMap((text) => (present.includes(text) ? [] : [`before the change, ${text}`]))];
}

/** How many things that are not known a verdict names. */
const maxNamed = 5;

/** Returns the first reasons, and how many there are besides. */
export function firstOf(
  texts: readonly string[],
  rest = 'references and policies depend on objects that are not in this input',
): readonly string[] {
  const more = texts.length - maxNamed;
  return more <= 0 ? texts : [...texts.slice(0, maxNamed), `${more} more ${rest}`];
}
