import type { Issue } from '@policy-machinery/resource';
import type { ManifestText } from '@policy-machinery/resource/manifests';

/** The judgment of a text in a folder by its issues. */
export interface Judged {
  /**
   * The sort of the text: Kubernetes objects, a text before a renderer has filled it in, or something of another program, such as values of a
   * chart, a playbook, or the settings of an editor.
   */
  readonly is: 'manifest' | 'template' | 'foreign';
  readonly issues: readonly Issue[];
  /** Whether a name is yet to be filled in. */
  readonly hasUnfilledName: boolean;
}

/**
 * Judges the issues about a text that was found in a folder, and may be something else than Kubernetes objects.
 *
 * @param issues The issues about it.
 * @param objects How many objects it has.
 */
export function judge(manifest: ManifestText, issues: readonly Issue[], objects: number): Judged {
  const { source } = manifest;
  const text = withoutEscapes(manifest.text);
  const judged = (is: Judged['is'], about: readonly Issue[], hasUnfilledName = false): Judged => {
    return { is, issues: about, hasUnfilledName };
  };
  if (issues.length === 0) return judged('manifest', issues);
  if (isTemplate(source, text, issues)) return judged('template', []);
  const isForeign = foreignTest(text, issues);
  if (isChart.test(source)) return judged('foreign', []);
  if (objects === 0 && !has.apiVersion.test(text)) {
    const mayBeObject = has.kind.test(text);
    const about = issues.filter((issue) => (issue.code === noObject ? !isForeign(issue) : mayBeObject));
    return judged(about.length === 0 ? 'foreign' : 'manifest', about);
  }
  const unfilled = issues.filter(isUnfilledName);
  const about = issues.filter((issue) => !isUnfilledName(issue) && !isForeign(issue));
  const isOther = about.length === 0 && unfilled.length === 0 && objects === 0;
  return judged(isOther ? 'foreign' : 'manifest', about, unfilled.length > 0);
}

/** Returns a text with escapes replaced by their characters: a key can be written as `"\\u006bind"`. */
function withoutEscapes(text: string): string {
  return text.replace(/\\(?:u00|x)([2-7][0-9A-Fa-f])/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** The code of issues about documents that are not Kubernetes objects. */
export const noObject = 'no-kubernetes-object';
const isChart = /(^|[\\/])Chart\.ya?ml$/;

/** The folder for templates in a chart. */
const inChart = /(^|[\\/])templates[\\/]/;

/** Returns whether a text is not YAML before it is rendered: it has actions such as `{{ .Values.name }}` where YAML has none. */
function isTemplate(source: string, text: string, issues: readonly Issue[]): boolean {
  const isOfChart = inChart.test(source);
  if (!text.includes('{{') || !(isOfChart || has.apiVersion.test(text))) return false;
  return issues.some(({ code, message }) => code !== noObject && (isOfChart || message.startsWith('a template')));
}

/** Root fields of Kubernetes objects, as a document or the item of a list writes them. */
const has = {
  apiVersion: /^[ \t{,-]*["']?apiVersion["']?[ \t]*:/m,
  kind: /^[ \t{,-]*["']?kind["']?[ \t]*:/m,
  metadata: /^[ \t{,-]*["']?metadata["']?[ \t]*:/m,
} as const;

/** Fields of policies, routes and Gateways: without a name, these are faulty objects, and not the configuration of another program. */
const isOfGateways = /\b(?:gateway\.networking\.k8s\.io|targetRefs?|targetSelectors|parentRefs|gatewayClassName)\b/;

/**
 * Returns a test for issues about documents of other programs: these lack two of the version, the kind and the metadata that every Kubernetes object
 * has, or they lack metadata and fields of policies, routes and Gateways, as files of Talos, kind and kubeadm.
 *
 * @param issues All issues about it.
 * @returns The test. Each document is looked at once: O(text + issues).
 */
function foreignTest(text: string, issues: readonly Issue[]): (issue: Issue) => boolean {
  const lines = text.split('\n');
  const starts = lines.flatMap((line, index) => (line.startsWith('---') ? [index] : []));
  const faults = new Map<string, Set<string>>();
  const placeOf = ({ position }: Issue) => `${position?.line}:${position?.column}`;
  for (const issue of issues) {
    const { pointer } = issue;
    if (pointer !== undefined) faults.set(placeOf(issue), (faults.get(placeOf(issue)) ?? new Set()).add(pointer));
  }
  const known = new Map<number, boolean>();
  const isForeignDocument = (line: number): boolean => {
    const next = firstAbove(line - 1, starts);
    const verdict = known.get(next) ?? isOfOthers(lines.slice(starts[next - 1] ?? 0, starts[next]).join('\n'));
    known.set(next, verdict);
    return verdict;
  };
  return (issue) => {
    const { code, pointer = '', position } = issue;
    if (code !== noObject) return false;
    const lacking = faults.get(placeOf(issue));
    const isNone = lacking?.has('/kind') === true && lacking.has('/apiVersion');
    return pointer === '' || isNone || isForeignDocument(position?.line ?? 1);
  };
}

function isOfOthers(document: string): boolean {
  const lacks = Object.values(has).filter((field) => !field.test(document)).length;
  return lacks > 1 || (!has.metadata.test(document) && !isOfGateways.test(document));
}

/** Returns the index of the first of some ascending numbers that is above another one; how many there are if none is. */
function firstAbove(than: number, numbers: readonly number[]): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) > than) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns whether an issue is about a name that a renderer fills in. */
function isUnfilledName({ code, pointer = '', message }: Issue): boolean {
  return code === noObject && /^\/metadata\/name(?:space)?$/.test(pointer) && hasVariableText(message);
}

/**
 * Returns whether a text has places that a renderer fills in: `${DOMAIN}` of Flux, `{{ .Values.domain }}` of helm,
 * `<path:secrets#domain>` of Argo CD.
 */
export function hasVariableText(text: string): boolean {
  return /\$\{[A-Za-z_]|\{\{|<[a-z]+:[^<>\s]{1,200}>/.test(text);
}
