import { resolve } from 'node:path';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import { isJsonObject, type KubernetesObject, messageOf } from '@policy-machinery/resource';
import { readManifests } from '@policy-machinery/resource/node';
import { UsageError } from '../../model/usage-error.ts';
import { importModule } from './import-module.ts';

/** The declarations in the files of `--kinds`. */
export interface OwnKinds {
  /** Policy kinds that modules export. */
  readonly kinds: readonly PolicyKind<unknown>[];
  /** CustomResourceDefinitions that are not in the input. */
  readonly definitions: readonly KubernetesObject[];
  /** Dialects by kind: `{ 'policies.example.com/RetryPolicy': 'gep713' }`. */
  readonly dialects: Readonly<Record<string, string>>;
}

/** No declarations. */
export const noOwnKinds: OwnKinds = { kinds: [], definitions: [], dialects: {} };

/**
 * Reads the files of `--kinds`: modules that export policy kinds, and YAML with CustomResourceDefinitions and `PolicyDialects`.
 *
 * @returns The declarations. Rejects with a {@link UsageError} if a file cannot be read or declares nothing.
 */
export async function readOwnKinds(files: readonly string[] = []): Promise<OwnKinds> {
  const all = await Promise.all(
    files.map((file) => (/\.(ya?ml|json)$/i.test(file) ? readYaml(file) : readModule(file))),
  );
  return {
    kinds: all.flatMap(({ kinds }) => kinds),
    definitions: all.flatMap(({ definitions }) => definitions),
    dialects: Object.assign({}, ...all.map(({ dialects }) => dialects)),
  };
}

async function readModule(file: string): Promise<OwnKinds> {
  const exported = await importModule(resolve(file)).catch((error: unknown) => {
    throw new UsageError(`--kinds ${file} cannot be imported: ${importFault(error)}`);
  });
  const kinds = [
    ...new Set(Object.values(exported).flatMap((value: unknown) => (Array.isArray(value) ? value : [value]))),
  ];
  const policyKinds = kinds.filter(isPolicyKind);
  if (policyKinds.length > 0) return { ...noOwnKinds, kinds: policyKinds };
  throw new UsageError(`--kinds ${file} does not export a policy kind; export the result of definePolicyKind`);
}

/**
 * Returns why a module cannot be imported, and the remedy for TypeScript, which Node imports by itself from 22.18 on.
 *
 * @param error The error that the import threw.
 */
export function importFault(error: unknown): string {
  const message = messageOf(error);
  const isTypeScript = /Unknown file extension "\.[cm]?ts"/.test(message);
  if (!isTypeScript) return message;
  return `Node ${process.versions.node} imports no TypeScript; install tsx and set NODE_OPTIONS="--import tsx", or use Node 22.18 or later`;
}

function isPolicyKind(value: unknown): value is PolicyKind<unknown> {
  return (
    typeof value === 'object' && value !== null && 'read' in value && 'effectiveTargets' in value && 'stanzas' in value
  );
}

async function readYaml(file: string): Promise<OwnKinds> {
  const manifests = await readManifests(file).catch((error: unknown) => {
    throw new UsageError(`--kinds ${file}: ${messageOf(error)}`);
  });
  const definitions = manifests.resources.filter(({ kind }) => kind === 'CustomResourceDefinition');
  const lists = manifests.resources.filter(({ kind }) => kind === 'PolicyDialects');
  if (definitions.length + lists.length === 0) {
    throw new UsageError(`--kinds ${file} has neither CustomResourceDefinitions nor PolicyDialects`);
  }
  return { kinds: [], definitions, dialects: Object.assign({}, ...lists.map((list) => dialectsIn(list, file))) };
}

function dialectsIn(list: KubernetesObject, file: string): Readonly<Record<string, string>> {
  const { dialects } = list as { readonly dialects?: unknown };
  const entries = isJsonObject(dialects) ? Object.entries(dialects) : [];
  const texts = entries.flatMap(([kind, dialect]) => (typeof dialect === 'string' ? [[kind, dialect] as const] : []));
  if (texts.length > 0 && texts.length === entries.length) return Object.fromEntries(texts);
  throw new UsageError(
    `--kinds ${file}: dialects of ${list.metadata.name} must map group/Kind to the name of a profile`,
  );
}
