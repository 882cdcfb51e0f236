import { isJsonObject, type JsonValue, type KubernetesObject, type LabelSelector } from '@policy-machinery/resource';
import { namespaceSelectorTest } from '@policy-machinery/resource/inner';
import type { Refusal } from '@policy-machinery/topology';

/** The names and the default of a rule about namespaces. */
export interface NamespaceRules {
  /** The default of `from`. */
  readonly byDefault: 'Same' | 'None';
  /** The owner of the rule: `the listener`. */
  readonly owner: string;
  /** The guests: `routes`. */
  readonly guests: string;
}

/** Returns the labels of a Namespace; `undefined` if it is unknown. Called only if they decide. */
export type LabelsOf = (namespace: string) => Readonly<Record<string, string>> | undefined;

/** Which object does not name its namespace; `undefined` if both name theirs. */
export type Unnamed = 'owner' | 'guest' | undefined;

/** Why a namespace is not allowed. It lacks the Namespace if its labels or its name are not known. */
export interface NamespaceFault extends Pick<Refusal, 'lacks'> {
  /** From `namespaces`: which field decided. */
  readonly pointer: '' | '/from' | '/selector';
  readonly message: string;
}

/**
 * Decides whether a guest's namespace is allowed.
 *
 * @param namespaces The field, which may be anything.
 * @param own The namespace of the owner.
 * @param namespace The namespace of the guest.
 * @param labelsOf Returns labels of Namespaces.
 * @param unnamed Which object does not name its namespace, so that a refusal by the name or the labels is not known. Default: none.
 * @returns Why the namespace is not allowed; `undefined` if it is. Never throws.
 */
export type NamespaceDecision = (
  namespaces: JsonValue | undefined,
  own: string,
  namespace: string,
  labelsOf: LabelsOf,
  unnamed?: Unnamed,
) => NamespaceFault | undefined;

interface NamespaceQuestion {
  readonly own: string;
  readonly namespace: string;
  readonly labelsOf: LabelsOf;
  readonly selector: JsonValue | undefined;
  readonly unnamed: Unnamed;
}

type NamespaceRule = (question: NamespaceQuestion) => string | { readonly notKnown: string } | undefined;

const namespaceKind = { group: '', kind: 'Namespace' };

/** Returns the decision by `namespaces` of `allowedRoutes` and `allowedListeners`: `from` is Same, All, Selector or None. */
export function decideByNamespace({ byDefault, owner, guests }: NamespaceRules): NamespaceDecision {
  const onlyFrom = (own: string) => `${owner} takes ${guests} from namespace "${own}" only`;
  /** By the value of `from`. */
  const rules = new Map<unknown, NamespaceRule>([
    ['All', () => undefined],
    ['None', () => `${owner} takes ${guests} from no namespace`],
    [
      'Same',
      ({ own, namespace, unnamed }) => {
        if (namespace === own) return undefined;
        if (unnamed === undefined) return `${onlyFrom(own)}, not from "${namespace}"`;
        return { notKnown: `${owner} takes ${guests} from its own namespace only, and one of the two is not named` };
      },
    ],
    ['Selector', (question) => faultOfSelection(owner, question)],
  ]);
  return (namespaces, own, namespace, labelsOf, unnamed) => {
    const given = namespaces ?? {};
    if (!isJsonObject(given)) return { pointer: '', message: 'namespaces is not an object' };
    const { from, selector } = given;
    const rule = rules.get(from ?? byDefault);
    if (rule === undefined) {
      return {
        pointer: '/from',
        message: `from is ${describe(from)}; expected one of ${[...rules.keys()].join(', ')}`,
      };
    }
    const fault = rule({ own, namespace, labelsOf, selector, unnamed });
    if (fault === undefined) return undefined;
    const pointer = from === 'Selector' ? '/selector' : '/from';
    if (typeof fault === 'string') return { pointer, message: fault };
    return { pointer, message: fault.notKnown, lacks: { ...namespaceKind, name: namespace } };
  };
}

function faultOfSelection(
  owner: string,
  { namespace, labelsOf, selector, unnamed }: NamespaceQuestion,
): ReturnType<NamespaceRule> {
  if (selector === undefined || selector === null) return 'from is Selector, but selector is missing';
  try {
    const isSelected = namespaceSelectorTest(selector as LabelSelector)(namespace, labelsOf(namespace));
    if (isSelected === undefined) return { notKnown: `the labels of namespace "${namespace}" are not known` };
    if (isSelected) return undefined;
    if (unnamed !== 'guest') return `${owner}'s selector does not select namespace "${namespace}"`;
    return { notKnown: `${owner} selects namespaces, and this one is not named` };
  } catch (error) {
    return shorten((error as Error).message);
  }
}

/** Returns which object does not name its namespace: files can leave it to `kubectl apply -n`. */
export function unnamedOf(owner: KubernetesObject, guest: KubernetesObject): Unnamed {
  if (guest.metadata.namespace === undefined) return 'guest';
  return owner.metadata.namespace === undefined ? 'owner' : undefined;
}

/** Describes a value in a message; short for any input. */
export function describe(value: JsonValue | undefined): string {
  if (value === undefined || value === null || value === '') return 'missing';
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  return shorten(String(value));
}

function shorten(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
