import { type KindConcerns, kindConcerns } from '@policy-machinery/known-kinds/concerns';
import { formatGroupKind, type JsonObject, objectIn, parsePointer } from '@policy-machinery/resource';
import type { Checked } from '../checked.ts';
import { type FoundDefinition, fieldsOf, versionsOf } from './definitions.ts';

/** Fields that the definitions here do not have, with the reasons. */
const exceptions: readonly { readonly kind: string; readonly pointer: string; readonly reason: string }[] = [
  { kind: 'BackendTLSPolicy.gateway.networking.k8s.io', pointer: '/tls', reason: 'v1alpha2 alone has it' },
  { kind: 'ListenerPolicy.gateway.kgateway.dev', pointer: '/default', reason: 'later releases have it' },
  { kind: 'ListenerPolicy.gateway.kgateway.dev', pointer: '/perPort', reason: 'later releases have it' },
  {
    kind: 'Telemetry.telemetry.istio.io',
    pointer: '/accessLogging/*/*/disabled',
    reason: 'effective policies have it',
  },
];

/**
 * Checks that each field that serves a concern, or has a secret, is in the definition of its kind.
 *
 * @param definitions The definitions, by kind.
 */
export function checkConcerns(definitions: ReadonlyMap<string, FoundDefinition>): Checked {
  const checked = kindConcerns.flatMap((kind) => {
    const found = definitions.get(formatGroupKind(kind));
    return found === undefined ? [] : [pointersOf(kind).map((pointer) => ({ kind, pointer, found }))];
  });
  const pointers = checked.flat();
  const missing = pointers.filter(
    ({ kind: { stanzas = [''] }, pointer, found }) =>
      !versionsOf(found.crd).some(({ spec }) =>
        stanzas.some((stanza) => hasField(spec, parsePointer(stanza + pointer))),
      ),
  );
  const meant = missing.filter(isException);
  return {
    lines: [
      `Concerns: ${pointers.length} fields of ${checked.length} kinds with a definition, ${meant.length} of them of other versions.`,
    ],
    faults: missing
      .filter((it) => !meant.includes(it))
      .map(({ kind, pointer }) => `${formatGroupKind(kind)}: the definition has no field ${pointer}`),
  };
}

function isException({ kind, pointer }: { readonly kind: KindConcerns; readonly pointer: string }): boolean {
  const name = formatGroupKind(kind);
  return exceptions.some((it) => it.kind === name && (pointer === it.pointer || pointer.startsWith(`${it.pointer}/`)));
}

function pointersOf({ fields, secrets = [] }: KindConcerns): readonly string[] {
  const all = fields
    .filter(({ certainty }) => certainty === undefined)
    .flatMap(({ pointer, weak = [], off = [] }) => [pointer, ...[...weak, ...off].map((it) => it.pointer)]);
  return [...new Set([...all, ...secrets.filter(({ isCertain }) => !isCertain).map(({ pointer }) => pointer)])];
}

/** Returns whether a schema has a field; `*` is any item or key. A schema that accepts any fields has all of them. */
function hasField(schema: JsonObject, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return true;
  const { items, additionalProperties } = schema;
  const within = key === '*' ? (items ?? additionalProperties) : (fieldsOf(schema)[key] ?? additionalProperties);
  if (within === undefined || within === false) return false;
  return within === true || hasField(objectIn(within), rest);
}
