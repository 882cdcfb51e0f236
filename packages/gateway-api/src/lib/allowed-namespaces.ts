import { isJsonObject, type JsonValue, type LabelSelector, matchesSelector } from '@policy-machinery/resource';

/** Who asks to be let in, and by whom. */
export interface NamespaceQuestion {
  /** The namespace of the owner. */
  readonly own: string;
  /** The namespace of the guest. */
  readonly namespace: string;
  /** The labels of a Namespace; `undefined` where it is not known. Asked for only where they decide. */
  readonly labelsOf: (namespace: string) => Readonly<Record<string, string>> | undefined;
  /** What counts where `from` is missing. */
  readonly byDefault: 'Same' | 'None';
  /** Who lets in: `the listener`. */
  readonly owner: string;
  /** Who is let in: `routes`. */
  readonly guests: string;
}

/** What stands against a namespace. */
export interface NamespaceFault {
  /** From `namespaces`: which field decided. */
  readonly pointer: '' | '/from' | '/selector';
  readonly message: string;
}

const nameLabel = 'kubernetes.io/metadata.name';

/** By the value of `from`. */
const rules = new Map<unknown, (question: NamespaceQuestion, selector: JsonValue | undefined) => string | undefined>([
  ['All', () => undefined],
  ['None', ({ owner, guests }) => `${owner} takes ${guests} from no namespace`],
  [
    'Same',
    ({ own, namespace, owner, guests }) =>
      namespace === own ? undefined : `${owner} takes ${guests} from namespace "${own}" only, not from "${namespace}"`,
  ],
  ['Selector', faultOfSelection],
]);

/**
 * Decides by `namespaces` of `allowedRoutes` and `allowedListeners` who is let in: `from` is Same, All, Selector or None
 * (H-09, H-06).
 *
 * @param namespaces The field, which may be anything.
 * @param question Who asks.
 * @returns What stands against it; `undefined` where nothing does. Never throws.
 */
export function faultOfNamespaces(
  namespaces: JsonValue | undefined,
  question: NamespaceQuestion,
): NamespaceFault | undefined {
  const given = namespaces ?? {};
  if (!isJsonObject(given)) return { pointer: '', message: 'namespaces is no object' };
  const { from, selector } = given;
  const rule = rules.get(from ?? question.byDefault);
  if (rule === undefined) {
    return { pointer: '/from', message: `from is ${describe(from)}; expected one of ${[...rules.keys()].join(', ')}` };
  }
  const message = rule(question, selector);
  return message === undefined ? undefined : { pointer: from === 'Selector' ? '/selector' : '/from', message };
}

function faultOfSelection(
  { namespace, labelsOf, owner }: NamespaceQuestion,
  selector: JsonValue | undefined,
): string | undefined {
  if (selector === undefined || selector === null) return 'from is Selector, but there is no selector';
  const namespaceLabels = labelsOf(namespace);
  try {
    const isSelected = matchesSelector(selector as LabelSelector, withNameLabel(namespaceLabels, namespace));
    if (namespaceLabels === undefined) return `the labels of namespace "${namespace}" are not known`;
    return isSelected ? undefined : `${owner}'s selector does not select namespace "${namespace}"`;
  } catch (error) {
    return shorten((error as Error).message);
  }
}

type Labels = ReturnType<NamespaceQuestion['labelsOf']>;

/** With the label that the API server gives each Namespace, and manifests seldom show. */
function withNameLabel(labels: Labels, name: string): Labels {
  return labels?.[nameLabel] === name ? labels : { ...labels, [nameLabel]: name };
}

/** Names a value in a message: short, whatever a tenant writes. */
export function describe(value: JsonValue | undefined): string {
  if (value === undefined || value === null || value === '') return 'missing';
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  return shorten(String(value));
}

function shorten(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
