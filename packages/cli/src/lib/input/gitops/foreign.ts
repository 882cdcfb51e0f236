import type { Issue } from '@policy-machinery/resource';
import type { ManifestText } from '@policy-machinery/resource/manifests';

/** What the issues about a text in a folder say of it. */
export interface Judged {
  /**
   * What the text is: Kubernetes objects, a text before a renderer has filled it in, or something of another program, such as values of a chart, a
   * playbook, or the settings of an editor.
   */
  readonly is: 'manifest' | 'template' | 'foreign';
  /** The issues that are about Kubernetes objects. */
  readonly issues: readonly Issue[];
  /** Whether a name is yet to be filled in. */
  readonly hasUnfilledName: boolean;
}

/**
 * Judges the issues about a text that was found in a folder, and may be something else than Kubernetes objects.
 *
 * @param text The text.
 * @param issues The issues about it.
 * @param objects How many objects it has.
 */
export function judge({ source, text }: ManifestText, issues: readonly Issue[], objects: number): Judged {
  const judged = (is: Judged['is'], about: readonly Issue[], hasUnfilledName = false): Judged => {
    return { is, issues: about, hasUnfilledName };
  };
  if (issues.length === 0) return judged('manifest', issues);
  if (isTemplate(source, text, issues)) return judged('template', []);
  if (isChart.test(source)) return judged('foreign', []);
  if (objects === 0 && !has.apiVersion.test(text)) {
    const mayBeObject = has.kind.test(text);
    const about = issues.filter((issue) => (issue.code === noObject ? !isForeign(text, issue, issues) : mayBeObject));
    return judged(about.length === 0 ? 'foreign' : 'manifest', about);
  }
  const unfilled = issues.filter(isUnfilledName);
  const about = issues.filter((issue) => !unfilled.includes(issue) && !isForeign(text, issue, issues));
  const isOther = about.length === 0 && unfilled.length === 0 && objects === 0;
  return judged(isOther ? 'foreign' : 'manifest', about, unfilled.length > 0);
}

const noObject = 'no-kubernetes-object';
const isChart = /(^|[\\/])Chart\.ya?ml$/;

/** The folder for templates in a chart. */
const inChart = /(^|[\\/])templates[\\/]/;

/** Returns whether a text is no YAML before it is rendered: it has actions such as `{{ .Values.name }}` where YAML has none. */
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

/** What policies, routes and Gateways have: without a name, these are faulty objects, and not the configuration of another program. */
const isOfGateways = /\b(?:gateway\.networking\.k8s\.io|targetRefs?|targetSelectors|parentRefs|gatewayClassName)\b/;

/**
 * Returns whether an issue is about a document of another program: it lacks two of the version, the kind and the metadata that every Kubernetes object
 * has, or it has no metadata and nothing of policies, routes and Gateways, as files of Talos, kind and kubeadm.
 */
function isForeign(text: string, { code, pointer = '', position }: Issue, issues: readonly Issue[]): boolean {
  if (code !== noObject) return false;
  const at = JSON.stringify(position);
  const lacksAt = (field: string) =>
    issues.some((issue) => issue.pointer === field && JSON.stringify(issue.position) === at);
  if (pointer === '' || (lacksAt('/kind') && lacksAt('/apiVersion'))) return true;
  const document = documentAt(text, position?.line ?? 1);
  const lacks = Object.values(has).filter((field) => !field.test(document)).length;
  return lacks > 1 || (!has.metadata.test(document) && !isOfGateways.test(document));
}

/** Returns the document that has a line. */
function documentAt(text: string, line: number): string {
  const lines = text.split('\n');
  const isStart = (_: string, index: number) => /^---/.test(lines[index] ?? '');
  const start = lines.slice(0, line).findLastIndex(isStart);
  const length = lines.slice(line).findIndex((each) => /^---/.test(each));
  return lines.slice(Math.max(start, 0), length < 0 ? undefined : line + length).join('\n');
}

/** Returns whether an issue is about a name that a renderer fills in. */
function isUnfilledName({ code, pointer = '', message }: Issue): boolean {
  return code === noObject && /^\/metadata\/name(?:space)?$/.test(pointer) && hasVariableText(message);
}

/** Returns whether a text has what a renderer fills in: `${DOMAIN}` of Flux, `{{ .Values.domain }}` of helm, `<path:secrets#domain>` of Argo CD. */
export function hasVariableText(text: string): boolean {
  return /\$\{[A-Za-z_]|\{\{|<[a-z]+:[^<>\s]{1,200}>/.test(text);
}
