import { type Issue, PolicyMachineryError, type SourcePosition } from '../issue.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { formatPointer, parsePointer } from '../json-pointer.ts';
import { type KubernetesObject, objectFaults } from '../kubernetes-object.ts';
import { locatorOf } from '../locator.ts';
import { documentsIn, type ManifestDocument, type ManifestText, positionOfPath } from './documents.ts';
import { defaultLimits, type ManifestLimits } from './limits.ts';

/** The resources that manifests declare, in the order in which they were read. */
export interface Manifests extends Iterable<KubernetesObject> {
  readonly resources: readonly KubernetesObject[];

  /**
   * Where a resource, or a field of it, stands in its text. Parses that document anew: O(its length).
   *
   * @param resource A resource of these manifests, the very object.
   * @param pointer JSON Pointer to a field. Default: the resource itself.
   * @returns The position of the field, or of what is closest around it; `undefined` for a resource from elsewhere.
   */
  positionOf(resource: KubernetesObject, pointer?: string): SourcePosition | undefined;
}

/** How to read manifests. */
export interface ManifestOptions {
  /**
   * Takes each issue instead of having them thrown together at the end: what is sound is then returned all the same,
   * and of two resources with one name the first.
   */
  readonly onIssue?: (issue: Issue) => void;
  /** Limits for texts from people who may mean harm. Default: 256 Mi characters, 100 levels, 1000 aliased nodes. */
  readonly limits?: Partial<ManifestLimits>;
}

interface Declaration {
  readonly document: ManifestDocument;
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/**
 * Reads Kubernetes resources from YAML (one document or many) or JSON. Lists (`List`, `ServiceList`, …) are taken apart;
 * empty documents are skipped.
 *
 * YAML is read as version 1.2 with `<<` merge keys: `yes`, `on` and unquoted timestamps stay strings.
 *
 * @param texts One text, or several with the names to call them by.
 * @param options Limits, and what to do with issues.
 * @returns The resources, with their positions.
 * @throws {PolicyMachineryError} `invalid-manifests`, with every issue and its line and column: syntax errors, documents
 * that are no Kubernetes objects, `__proto__` keys, nesting or aliases beyond the limits, and resources declared twice.
 * @example
 * ```ts
 * const manifests = parseManifests(`
 * apiVersion: v1
 * kind: Service
 * metadata: { name: cart, namespace: prod }
 * `);
 * manifests.resources.length; // 1
 * ```
 */
export function parseManifests(
  texts: string | ManifestText | Iterable<ManifestText>,
  options: ManifestOptions = {},
): Manifests {
  const issues: Issue[] = [];
  const report = options.onIssue ?? ((issue: Issue) => issues.push(issue));
  const limits = { ...defaultLimits, ...options.limits };
  const declarations = new Map<string, Declaration>();
  const byResource = new Map<KubernetesObject, Declaration>();

  for (const text of textsOf(texts)) {
    for (const document of documentsIn(text, limits, report)) {
      for (const declaration of itemsOf({ document, path: [], value: document.value })) {
        const resource = resourceIn(declaration, report);
        if (resource === undefined) continue;
        const locator = locatorOf(resource);
        const first = declarations.get(locator);
        if (first === undefined) {
          declarations.set(locator, declaration);
          byResource.set(resource, declaration);
        } else {
          report(duplicate(locator, declaration, first));
        }
      }
    }
  }
  if (issues.length > 0) throw new PolicyMachineryError('invalid-manifests', 'The manifests cannot be used', issues);

  const resources = [...byResource.keys()];
  return {
    resources,
    [Symbol.iterator]: () => resources[Symbol.iterator](),
    positionOf(resource, pointer = '') {
      const declaration = byResource.get(resource);
      if (declaration === undefined) return undefined;
      return positionOfPath(declaration.document, [...declaration.path, ...parsePointer(pointer)]);
    },
  };
}

function textsOf(texts: string | ManifestText | Iterable<ManifestText>): Iterable<ManifestText> {
  if (typeof texts === 'string') return [{ source: 'manifest', text: texts }];
  return Symbol.iterator in texts ? texts : [texts];
}

/** A document's resources: itself, or the items of a list. Items of a typed list may leave out what the list says. */
function* itemsOf(declaration: Declaration): Iterable<Declaration> {
  const { value, path } = declaration;
  const list = isJsonObject(value) ? listOf(value) : undefined;
  if (list === undefined) {
    yield declaration;
    return;
  }
  for (const [index, item] of list.items.entries()) {
    const complete = isJsonObject(item) ? { ...list.typeMeta, ...item } : item;
    yield* itemsOf({ ...declaration, path: [...path, 'items', index], value: complete });
  }
}

function listOf(value: JsonObject): { items: readonly unknown[]; typeMeta: JsonObject } | undefined {
  const { apiVersion, kind, items, metadata } = value;
  if (typeof kind !== 'string' || !kind.endsWith('List')) return undefined;
  if (!Array.isArray(items) && items !== null) return undefined;
  if (isJsonObject(metadata) && metadata.name !== undefined) return undefined;
  const itemKind = kind.slice(0, -'List'.length);
  const typeMeta = itemKind === '' || apiVersion === undefined ? {} : { apiVersion, kind: itemKind };
  return { items: items ?? [], typeMeta };
}

function resourceIn(declaration: Declaration, report: (issue: Issue) => void): KubernetesObject | undefined {
  const { document, path, value } = declaration;
  const faults = objectFaults(value);
  for (const { pointer, message } of faults) {
    const at = [...path, ...parsePointer(pointer)];
    report({
      code: 'no-kubernetes-object',
      severity: 'error',
      message,
      pointer: formatPointer(at),
      position: positionOfPath(document, at),
    });
  }
  return faults.length === 0 ? (value as KubernetesObject) : undefined;
}

function duplicate(locator: string, second: Declaration, first: Declaration): Issue {
  const { source, line, column } = positionOfPath(first.document, first.path);
  return {
    code: 'duplicate-resource',
    severity: 'error',
    message: `declared twice, first at ${source}:${line}:${column}; remove one of the two`,
    resource: locator,
    position: positionOfPath(second.document, second.path),
  };
}
