import type { Issue, SourcePosition } from '../issue.ts';
import { isSameJson } from '../json.ts';
import { formatPointer, parsePointer } from '../json-pointer.ts';
import { type KubernetesObject, objectFaults } from '../kubernetes-object.ts';
import { locatorOf } from '../locator.ts';
import { storedObjects } from '../stored/stored-objects.ts';
import { collectIssues, maxIssues } from './collect-issues.ts';
import { type Declaration, declarationsIn } from './declarations.ts';
import type { DocumentMemory } from './document-memory.ts';
import { documentsIn } from './documents.ts';
import { limitsFrom, type ManifestLimits } from './limits.ts';
import type { ManifestText } from './manifest-text.ts';

/** The resources that manifests declare, in reading order. */
export interface Manifests extends Iterable<KubernetesObject> {
  readonly resources: readonly KubernetesObject[];
  /** The fields that are left out because a CustomResourceDefinition does not name them, at most 1000. */
  readonly warnings: readonly Issue[];

  /**
   * Returns the position of a resource, or of one of its fields, in its text. The first call for a document parses it again:
   * O(its length). In JSON beyond `limits.yamlCharacters`, every position is the start.
   *
   * @param resource A resource of these manifests, the identical object.
   * @param pointer JSON Pointer to a field. Default: the resource itself.
   * @returns The position of the field, or of the closest value around it; `undefined` for other resources.
   * @throws {TypeError} If the pointer is malformed.
   */
  positionOf(resource: KubernetesObject, pointer?: string): SourcePosition | undefined;

  /**
   * Returns whether a resource is an item of a list, as kubectl prints the objects of a cluster.
   *
   * @param resource A resource of these manifests, the identical object.
   */
  isListed(resource: KubernetesObject): boolean;

  /**
   * Adds the position in these manifests to an issue, such as an issue that another package finds.
   *
   * @param issue An issue about a resource and, perhaps, a field of it.
   * @returns The issue with its position, or the unchanged issue if it already has one or is not about these manifests.
   */
  locate(issue: Issue): Issue;
}

/** Options for reading manifests. */
export interface ManifestOptions {
  /**
   * Receives each error, instead of an error with all of them at the end. All valid resources are then returned, and the first
   * of two resources with the same name. Warnings are in the result.
   */
  readonly onIssue?: ((issue: Issue) => void) | undefined;
  /** Limits for hostile texts. Default: 64 Mi characters in a text and 4 Mi in a YAML document, 100 levels, 1000 aliased values. */
  readonly limits?: Partial<ManifestLimits> | undefined;
  /** How to treat a resource that is declared again with the same content. Default: an `error`, as for different content; `ignored` leaves it out. */
  readonly equalDuplicates?: 'error' | 'ignored' | undefined;
  /** Remembers the YAML documents from one reading to the next, with the same limits. Default: each reading is separate. */
  readonly memory?: DocumentMemory | undefined;
}

/**
 * Reads Kubernetes resources from YAML or JSON, one document or many. Lists (`List`, `ServiceList`, …) are expanded; empty
 * documents are skipped.
 *
 * YAML is read as kubectl reads it: without quotes, `yes` and `on` are booleans (also as keys), `010` is 8, timestamps are strings, and `<<`
 * merges. Quoted scalars and flow collections may continue on lines that are not indented. Unlike for kubectl, custom tags are errors.
 *
 * Resources are returned as the API server stores them if the texts contain their CustomResourceDefinition: without unknown fields, which are
 * warnings, without `null` where the definition does not allow it, and with its defaults. See `storedObjects`.
 *
 * @param texts One text, or several with their names.
 * @param options Limits, and how to handle issues.
 * @returns The resources, with their positions.
 * @throws {PolicyMachineryError} `invalid-manifests`, with every issue (or the first 1000) and its line and column: syntax
 * errors, documents that are not Kubernetes objects, `__proto__` keys, repeated keys and resources, and sizes, nesting or
 * aliases beyond the limits.
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
  const { declarations, written } = declaredIn(texts, options);
  const { byResource, warnings } = storedAmong(written);
  const resources = [...byResource.keys()];
  /** Returns a declaration. Other packages know that a namespaced resource without a namespace is in `default`. */
  const declarationOf = (locator: string): Declaration | undefined =>
    declarations.get(locator) ?? declarations.get(locator.replace(':default/', ':'));
  return {
    resources,
    warnings,
    [Symbol.iterator]: () => resources[Symbol.iterator](),
    positionOf(resource, pointer = '') {
      const declaration = byResource.get(resource);
      if (declaration === undefined) return undefined;
      return positionIn(declaration, pointer);
    },
    isListed: (resource) => (byResource.get(resource)?.path ?? []).length > 0,
    locate(issue) {
      const declaration = issue.resource === undefined ? undefined : declarationOf(issue.resource);
      if (declaration === undefined || issue.position !== undefined) return issue;
      return { ...issue, position: positionIn(declaration, issue.pointer ?? '') };
    },
  };
}

/** Returns the declarations in texts, by locator and by resource. Throws issues, or reports them. */
function declaredIn(texts: string | ManifestText | Iterable<ManifestText>, options: ManifestOptions) {
  const issues = collectIssues();
  const report = options.onIssue ?? issues.report;
  const limits = limitsFrom(options.limits);
  options.memory?.begin();
  const declarations = new Map<string, Declaration>();
  const written = new Map<KubernetesObject, Declaration>();
  for (const text of textsOf(texts)) {
    for (const document of documentsIn(text, limits, report, options.memory)) {
      for (const declaration of declarationsIn(document, limits.depth, report)) {
        const resource = resourceIn(declaration, report);
        if (resource === undefined) continue;
        const locator = locatorOf(resource);
        const first = declarations.get(locator);
        if (first === undefined) {
          declarations.set(locator, declaration);
          written.set(resource, declaration);
        } else if (options.equalDuplicates !== 'ignored' || !isSameJson(declaration.value, first.value)) {
          report(duplicate(locator, declaration, first));
        }
      }
    }
  }
  issues.throwIfAny();
  return { declarations, written };
}

/** Returns resources as the API server stores them, with their declarations and with warnings. */
function storedAmong(written: ReadonlyMap<KubernetesObject, Declaration>) {
  const byResource = new Map<KubernetesObject, Declaration>();
  const warnings: Issue[] = [];
  const store = storedObjects(written.keys());
  for (const [resource, declaration] of written) {
    const stored = store(resource);
    byResource.set(stored.object, declaration);
    for (const warning of stored.warnings.slice(0, maxIssues - warnings.length)) {
      warnings.push({ ...warning, position: positionIn(declaration, warning.pointer ?? '') });
    }
  }
  return { byResource, warnings };
}

function positionIn({ document, path }: Declaration, pointer: string): SourcePosition {
  return document.positionOf([...path, ...parsePointer(pointer)]);
}

function textsOf(texts: string | ManifestText | Iterable<ManifestText>): Iterable<ManifestText> {
  if (typeof texts === 'string') return [{ source: 'manifest', text: texts }];
  return Symbol.iterator in texts ? texts : [texts];
}

function resourceIn(declaration: Declaration, report: (issue: Issue) => void): KubernetesObject | undefined {
  const { document, path, value } = declaration;
  const faults = objectFaults(value);
  for (const { pointer, message } of faults) {
    const fullPath = [...path, ...parsePointer(pointer)];
    report({
      code: 'no-kubernetes-object',
      severity: 'error',
      message,
      pointer: formatPointer(fullPath),
      position: document.positionOf(fullPath),
    });
  }
  return faults.length === 0 ? (value as KubernetesObject) : undefined;
}

function duplicate(locator: string, second: Declaration, first: Declaration): Issue {
  const { source, line, column } = first.document.positionOf(first.path);
  return {
    code: 'duplicate-resource',
    severity: 'error',
    message: `declared twice, first at ${source}:${line}:${column}; remove one of the two`,
    resource: locator,
    position: second.document.positionOf(second.path),
  };
}
