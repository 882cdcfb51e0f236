import { knownKinds } from '@policy-machinery/known-kinds';
import {
  formatGroupKind,
  type GroupKind,
  groupKindKey,
  isJsonObject,
  type KubernetesObject,
  stringIn,
} from '@policy-machinery/resource';
import { pluralOf } from '@policy-machinery/resource/inner';
import type { TargetKindDefinition } from '@policy-machinery/topology';
import { policiesOfKind, targetsOfKind } from '../input/topologies.ts';
import { isDefinition } from '../input/world.ts';
import { suggestion } from '../model/closest.ts';
import { UsageError } from '../model/usage-error.ts';
import type { World } from '../model/world.ts';

export interface NamedKind extends GroupKind {
  readonly isPolicy: boolean;
  readonly isUsed: boolean;
  /** Kind, singular, plural and short names, in lower case. */
  readonly words: readonly string[];
}

/** The short names of kinds that every cluster has, or that Gateway API defines. */
const shortNames: Readonly<Record<string, readonly string[]>> = {
  GatewayClass: ['gc'],
  Gateway: ['gtw'],
  ListenerSet: ['lset'],
  Service: ['svc'],
  Namespace: ['ns'],
  Pod: ['po'],
  Deployment: ['deploy'],
  StatefulSet: ['sts'],
  DaemonSet: ['ds'],
  CronJob: ['cj'],
};

/**
 * Returns the kinds of a world, with the words that kubectl accepts for them.
 *
 * @returns Target kinds and policy kinds.
 */
export function namedKinds(world: World): readonly NamedKind[] {
  const { topologies, views, objects } = world;
  const targetKinds = new Map(
    topologies.flatMap((each) => [...each.targetKinds]).map((kind) => [groupKindKey(kind), kind]),
  );
  const defined = new Map(objects.filter(isDefinition).map((definition) => namesIn(definition)));
  const named = (
    kind: GroupKind & Pick<TargetKindDefinition, 'plural'>,
    isPolicy: boolean,
    short: readonly string[] = [],
  ): NamedKind => {
    const { group, kind: name, plural = pluralOf(name) } = kind;
    const more = [...(shortNames[name] ?? []), ...short, ...(defined.get(formatGroupKind(kind)) ?? [])];
    const isUsed = (isPolicy ? policiesOfKind(world, kind) : targetsOfKind(world, kind)).length > 0;
    return { group, kind: name, isPolicy, isUsed, words: [name, plural, ...more].map((word) => word.toLowerCase()) };
  };
  return [
    ...[...targetKinds.values()].map((kind) => named(kind, false)),
    ...views.map(({ found }) => named(found.kind, true, found.definedBy?.shortNames)),
  ];
}

function namesIn({ spec }: KubernetesObject): readonly [kind: string, words: readonly string[]] {
  const { group, names } = isJsonObject(spec) ? spec : {};
  const { kind, plural, shortNames } = isJsonObject(names) ? names : {};
  const short = Array.isArray(shortNames) ? shortNames.filter((each) => typeof each === 'string') : [];
  const key = formatGroupKind({ group: stringIn(group) ?? '', kind: stringIn(kind) ?? '' });
  return [key, [...(typeof plural === 'string' ? [plural] : []), ...short]];
}

/**
 * Returns the kind that a word names: `HTTPRoute`, `httproutes`, `gtw`, `httproutes.gateway.networking.k8s.io`.
 *
 * @param word The word, in any case.
 * @returns The kind. If several have the same name, the only one that has objects.
 * @throws {UsageError} If no kind has this name, or several have.
 */
export function kindNamed(word: string, kinds: readonly NamedKind[]): NamedKind {
  const asked = word.toLowerCase();
  const found = kinds.filter(({ words, group }) =>
    words.some((each) => each === asked || `${each}.${group}` === asked),
  );
  const used = found.filter(({ isUsed }) => isUsed);
  const [only, ...others] = used.length === 1 ? used : found;
  if (only !== undefined && others.length === 0) return only;
  if (found.length > 0) {
    throw new UsageError(
      `${word} may be ${found.map(formatGroupKind).sort().join(' or ')}; write the kind with its group`,
    );
  }
  const there = kinds.filter(({ isUsed }) => isUsed);
  const names = [...new Set((there.length > 0 ? there : kinds).map(({ kind }) => kind))].sort();
  const similar = [...kinds, ...knownKinds].map(({ kind }) => kind);
  const advice = suggestion(asked, similar, `kinds are ${names.join(', ')}`);
  const absent = knownKinds.find(({ kind }) => [kind.toLowerCase(), pluralOf(kind)].includes(asked));
  const problem = absent === undefined ? `unknown kind ${word}; ${advice}` : `no ${absent.kind} is in the input`;
  throw new UsageError(problem);
}
