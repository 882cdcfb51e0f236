import { type Guarantee, guaranteeKind } from '@policy-machinery/guarantees';
import { Document, isMap, isScalar, type Pair } from 'yaml';

/** The purposes of the fields of a guarantee. */
const comments: Readonly<Record<string, string>> = {
  requests:
    ' The requests that it is about: they must match all fields. The fields are gateways, listeners, hostnames, paths,\n methods, headers, routes, backends and where.',
  other: ' The other request, which holds reads as "other".',
  about: ' It is about policies, not about requests.',
  holds:
    ' The CEL expression that must be true. It can read request, policies, concerns, taken, before, gateway, listener,\n route, rule, backend and match.',
  mayBeEmpty: ' It also holds if it is not about any requests.',
};

/** Returns a guarantee as YAML that explains itself. */
export function guaranteeTemplate({ name, ...spec }: Guarantee, verify: string): string {
  const metadata = { name: nameOf(name) };
  const document = new Document(
    { apiVersion: `${guaranteeKind.group}/${guaranteeKind.version}`, kind: guaranteeKind.kind, metadata, spec },
    { aliasDuplicateObjects: false },
  );
  document.commentBefore = ` Save it as guarantees.yaml, and verify it with: ${verify}`;
  const node = document.get('spec');
  for (const pair of isMap(node) ? node.items : []) explain(pair);
  return document.toString({ lineWidth: 0 });
}

function explain({ key }: Pair): void {
  if (!isScalar(key)) return;
  const comment = comments[String(key.value)];
  if (comment !== undefined) key.commentBefore = comment;
}

/** Returns a name for a resource: `every-securitypolicy.jwt`. */
function nameOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9.]+/g, '-');
}
