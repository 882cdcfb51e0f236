import {
  isJsonObject,
  type JsonValue,
  type KubernetesObject,
  type LabelSelector,
  namespaceSelectorTest,
} from '@policy-machinery/resource';
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

/** Why a namespace is not allowed. It lacks the Namespace if its labels are not known, or whether it is the right one. */
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
 * @param isNamed Whether both objects name their namespaces, so that it is known whether these are the same. Default: yes.
 * @returns Why the namespace is not allowed; `undefined` if it is. Never throws.
 */
export type NamespaceDecision = (
  namespaces: JsonValue | undefined,
  own: string,
  namespace: string,
  labelsOf: LabelsOf,
  isNamed?: boolean,
) => NamespaceFault | undefined;

type NamespaceRule = (
  own: string,
  namespace: string,
  labelsOf: LabelsOf,
  selector: JsonValue | undefined,
) => string | { readonly notKnown: (namespace: string) => string } | undefined;

const lacksLabels = { notKnown: (namespace: string) => `the labels of namespace "${namespace}" are not known` };

const namespaceKind = { group: '', kind: 'Namespace' };

/**
 * Returns the decision by `namespaces` of `allowedRoutes` and `allowedListeners`: `from` is Same, All, Selector or None.
 */
export function decideByNamespace({ byDefault, owner, guests }: NamespaceRules): NamespaceDecision {
  const onlyFrom = (own: string) => `${owner} takes ${guests} from namespace "${own}" only`;
  /** By the value of `from`. */
  const rules = new Map<unknown, NamespaceRule>([
    ['All', () => undefined],
    ['None', () => `${owner} takes ${guests} from no namespace`],
    ['Same', (own, namespace) => (namespace === own ? undefined : `${onlyFrom(own)}, not from "${namespace}"`)],
    ['Selector', (_, namespace, labelsOf, selector) => faultOfSelection(owner, namespace, labelsOf, selector)],
  ]);
  const lacksName = {
    notKnown: () => `${owner} takes ${guests} from certain namespaces only, and an object does not name its namespace`,
  };
  return (namespaces, own, namespace, labelsOf, isNamed = true) => {
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
    const dependsOnNames = ['Same', 'Selector'].includes(String(from ?? byDefault));
    const decided = rule(own, namespace, labelsOf, selector);
    const fault = decided !== undefined && dependsOnNames && !isNamed ? lacksName : decided;
    if (fault === undefined) return undefined;
    const pointer = from === 'Selector' ? '/selector' : '/from';
    if (typeof fault === 'string') return { pointer, message: fault };
    return { pointer, message: fault.notKnown(namespace), lacks: { ...namespaceKind, name: namespace } };
  };
}

function faultOfSelection(
  owner: string,
  namespace: string,
  labelsOf: LabelsOf,
  selector: JsonValue | undefined,
): ReturnType<NamespaceRule> {
  if (selector === undefined || selector === null) return 'from is Selector, but selector is missing';
  try {
    const isSelected = namespaceSelectorTest(selector as LabelSelector)(namespace, labelsOf(namespace));
    if (isSelected === undefined) return lacksLabels;
    return isSelected ? undefined : `${owner}'s selector does not select namespace "${namespace}"`;
  } catch (error) {
    return shorten((error as Error).message);
  }
}

/** Returns whether objects name their namespaces: files can leave them to `kubectl apply -n`. */
export function haveNamespaces(...objects: readonly KubernetesObject[]): boolean {
  return objects.every(({ metadata }) => metadata.namespace !== undefined);
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
