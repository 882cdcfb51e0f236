import type { DataPlane } from '@policy-machinery/gateway-api';
import { dataPlanes, type KnownKind, knownKinds } from '@policy-machinery/known-kinds';
import { concernsOf } from '@policy-machinery/known-kinds/concerns';
import {
  backendKinds,
  creatorKinds,
  otherKinds,
  outsideKinds,
  unconsideredKinds,
} from '@policy-machinery/known-kinds/inner';
import { formatGroupKind, objectIn } from '@policy-machinery/resource';
import { describeTargetable } from '@policy-machinery/topology/inner';
import { releasedDefinitions } from '../../../../packages/schemas/src/index.ts';
import { type Exception, exceptions, isAbout } from '../crds/exceptions.ts';
import { withoutSchemas } from '../schemas/without-schemas.ts';
import { testDataOf } from './test-data.ts';

/** Where statuses have their conditions, in words. */
const places = { ancestors: 'for each ancestor', conditions: 'in one list', other: 'not read' };

const head = `# Systems

This page is for users of \`gwpolicy\` and [\`@policy-machinery/known-kinds\`](../packages/known-kinds). For each system, you can look up which policies are understood, from which source, and
which facts are not known. \`npm run docs:systems\` writes this page from the table of known kinds; \`npm run check:field\` compares the table with the definitions of the systems, and with
the statuses in their tests.

- *Named in* lists the fields with targets, each with its fields beside \`group\`, \`kind\`, \`name\` and \`matchLabels\`. API
  servers drop others, for example misspelled ones, and \`gwpolicy lint\` reports them as \`dropped-field\`.
- *Merged*: if it is not known how policies of a kind are merged, they are shown side by side until you choose a dialect.
- *At Gateways of* lists the controllers that apply the policies at their Gateways, by their domain in the \`controllerName\` of a GatewayClass. At Gateways of
  unknown controllers, all policies apply.
- *Concerns* lists the effects on requests that \`gwpolicy coverage\` reports.
- *Own field* lists fields of routes and backends that set the same as policies. If it is not known which one counts, policies with the field are undecided, and their values are shown.
- *Schema* is the release that files are checked against, if no definition is among your resources.
- If the definition of a kind is among your resources, it decides about versions, default values and the fields of a policy.
`;

/** Returns the page about the systems, as Markdown. */
export function systemsPage(): string {
  const systems = [...new Set(knownKinds.map(({ system }) => system))].sort((a, b) => a.localeCompare(b, 'en'));
  return `${[
    head,
    ...systems.map(sectionOf),
    backendSection(),
    creatorSection(),
    dataPlaneSection(),
    outsideSection(),
    otherSection(),
    unconsideredSection(),
    generalSection(),
  ].join('\n')}`;
}

/** A fact about each kind of a system, as a cell. */
interface Column {
  readonly title: string;
  readonly cellOf: (known: KnownKind) => string;
}

/** The shipped definitions, by group and kind. */
const shipped = new Map(
  (
    await releasedDefinitions(
      knownKinds.flatMap(({ group, versions, kind }) =>
        versions.map((version) => ({ apiVersion: `${group}/${version}`, kind, metadata: { name: 'any' } })),
      ),
    )
  ).map(({ release, definition: { spec } }) => {
    const { kind = '', shortNames: short } = objectIn(objectIn(spec).names);
    return [`${objectIn(spec).group}/${kind}`, { release, shortNames: Array.isArray(short) ? short : [] }] as const;
  }),
);

const columns: readonly Column[] = [
  { title: 'group', cellOf: ({ group }) => `\`${group}\`` },
  {
    title: 'short names',
    cellOf: ({ group, kind }) => shipped.get(`${group}/${kind}`)?.shortNames.join(' ') || 'none known',
  },
  { title: 'versions', cellOf: ({ versions }) => versions.join(', ') },
  { title: 'class', cellOf: ({ policyClass }) => policyClass },
  { title: 'targets', cellOf: ({ targets }) => targets.map(describeTargetable).join(', ') },
  { title: 'named in', cellOf: ({ targetFields }) => fieldsOf(targetFields) },
  { title: 'merged', cellOf: ({ merging }) => (merging === 'known' ? 'yes' : 'not known') },
  { title: 'conditions', cellOf: ({ status }) => places[status] },
  {
    title: 'at Gateways of',
    cellOf: ({ controllers }) => controllers?.map((domain) => `\`${domain}\``).join(' ') ?? 'all',
  },
  {
    title: 'schema',
    cellOf: ({ system, group, kind }) =>
      shipped.get(`${group}/${kind}`)?.release ?? `not shipped (${withoutSchemas[system]})`,
  },
  { title: 'concerns', cellOf: concernsIn },
];

function sectionOf(system: string): string {
  const kinds = knownKinds.filter((it) => it.system === system);
  const sources = [...new Set(kinds.map(({ source }) => source))];
  const notes = notesOf(kinds);
  return [
    `## ${system}\n`,
    `${sources.length === 1 ? 'Source' : 'Sources'}: ${sources.map((source) => `<${source}>`).join(', ')}. ${testDataOf(system)}\n`,
    ...tableOf(kinds),
    ...ownFieldsOf(kinds),
    ...(notes.length === 0 ? [] : ['Notes:\n', ...notes.map((text) => `- ${text}`), '']),
  ].join('\n');
}

/** Returns the facts about the kinds of a system: those that all have in common as a sentence, and a table of the others. */
function tableOf(kinds: readonly KnownKind[]): readonly string[] {
  const isCommon = ({ cellOf }: Column) => new Set(kinds.map(cellOf)).size === 1;
  const common = columns.filter(isCommon).map(({ title, cellOf }) => `${title}: ${kinds.slice(0, 1).map(cellOf)}`);
  const names = kinds.map(({ kind }) => `\`${kind}\``);
  const others = columns.filter((column) => !isCommon(column));
  const sentence = `${others.length === 0 ? names.join(', ') : 'All kinds'}: ${common.join('; ')}.\n`;
  if (others.length === 0) return [sentence];
  return [
    ...(common.length === 0 ? [] : [sentence]),
    `| kind | ${others.map(({ title }) => title).join(' | ')} |`,
    `|---|${'---|'.repeat(others.length)}`,
    ...kinds.map((known, index) => `| ${[names[index], ...others.map(({ cellOf }) => cellOf(known))].join(' | ')} |`),
    '',
  ];
}

/** Returns the concerns that policies of a kind serve. */
function concernsIn(known: KnownKind): string {
  const { fields = [] } = concernsOf(known) ?? {};
  const served = fields.filter(({ role = 'serves' }) => role === 'serves').map(({ concern }) => concern);
  return [...new Set(served)].join(', ') || 'none';
}

/** Returns the table of the fields of routes and backends that set what policies also set. */
function ownFieldsOf(kinds: readonly KnownKind[]): readonly string[] {
  const fields = kinds.flatMap(({ kind, ownFields }) => ownFields.map((field) => ({ kind, ...field })));
  const rows = rowsByFacts(
    fields,
    ({ field, policyField }) => `\`${field}\` (\`${policyField}\`)`,
    ({ kind, of, counts, source }) => `${of} | \`${kind}\` | ${counts} | ${source === undefined ? '' : `<${source}>`}`,
  );
  if (rows.length === 0) return [];
  return [
    '| own field (field of policies) | of | policies | which counts | source |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ];
}

/** Returns the rows of a table. Items with the same facts share a row. */
function rowsByFacts<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  factsOf: (item: T) => string,
): readonly string[] {
  const namesByFacts = new Map<string, string[]>();
  for (const item of items) {
    const facts = factsOf(item);
    namesByFacts.set(facts, [...(namesByFacts.get(facts) ?? []), nameOf(item)]);
  }
  return Array.from(namesByFacts, ([facts, names]) => `| ${names.join(', ')} | ${facts} |`);
}

/** Returns the fields with targets, each with its fields beside those that all references and selectors have. */
function fieldsOf(targetFields: KnownKind['targetFields']): string {
  if (targetFields === undefined) return 'not known';
  const fields = Object.entries(targetFields).map(([field, more]) =>
    more.length === 0 ? `\`${field}\`` : `\`${field}\` (${more.map((it) => `\`${it}\``).join(', ')})`,
  );
  return fields.join(', ') || 'none of these';
}

/** Returns the notes on some kinds, as sentences. A note on several kinds is one sentence. */
function notesOf(kinds: readonly KnownKind[]): readonly string[] {
  const kindsByNote = new Map<string, string[]>();
  const add = (text: string, kind: string) => kindsByNote.set(text, [...(kindsByNote.get(text) ?? []), kind]);
  for (const known of kinds) {
    for (const note of known.notes) add(note, known.kind);
    for (const exception of exceptions.filter((it) => !isGeneral(it))) {
      if (isAbout(exception, formatGroupKind(known))) add(textOf(exception), known.kind);
    }
  }
  return [...kindsByNote].map(([text, about]) =>
    about.length === kinds.length ? text : `${about.join(', ')}: ${text}`,
  );
}

function textOf({ facts, reason }: Exception): string {
  return `Differs from the definition in ${facts.join('; ')}. ${reason}`;
}

function backendSection(): string {
  const rows = backendKinds.map(
    ({ system, kind, source }) => `| \`${kind.kind}\` of \`${kind.group}\` | ${system} | <${source}> |`,
  );
  return [
    '## Backends\n',
    'Kinds of backends of routes beside Services. Other kinds are recognized if a route refers to one of your resources.\n',
    '| kind | system | source |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** The facts about data planes, in the order of the columns. */
const dataPlaneFacts: readonly { readonly fact: keyof DataPlane; readonly about: string }[] = [
  {
    fact: 'sharedHostnames',
    about:
      '*Shared hostnames*: whether an HTTPRoute and a GRPCRoute may share a hostname at one listener. Otherwise the younger route is refused.',
  },
  {
    fact: 'hostnamePrecedence',
    about:
      '*Hostname precedence*: whether hostnames of the *route* decide between two routes, or their *intersection* with the hostname of the listener.',
  },
  {
    fact: 'missingPorts',
    about:
      '*Missing ports*: whether a route may refer to a missing port of a Service. Otherwise `ResolvedRefs` is `False`.',
  },
  {
    fact: 'regularExpressionPaths',
    about:
      '*Regular expressions*: whether a path that is a regular expression precedes prefixes of paths. Exact paths precede both.',
  },
  {
    fact: 'listenerIsolation',
    about:
      '*Listener isolation*: whether a request reaches only the routes of its listener, and not the routes of a less specific one. *Supported* is from the oldest conformance report about it, and all later ones of the system agree. Airlock Microgateway isolates listeners from version 4.8 on, kgateway from 2.4 on, and NGINX Gateway Fabric from 2.0 on.',
  },
  {
    fact: 'misdirectedRequests',
    about:
      '*Misdirected requests*: whether a request for the host of another HTTPS listener is *refused* if the server name of its TLS connection (SNI) belongs to this listener. Otherwise a client can reach routes for a wildcard although another listener takes the host, and guarantees that this would break are undecided. agentgateway 1.3.1 and Airlock Microgateway 5.1.0 refuse such requests; earlier versions are not known to do so.',
  },
  {
    fact: 'listenersWithoutTls',
    about: '*Listeners without TLS*: whether an HTTPS listener without `tls` takes requests.',
  },
  {
    fact: 'claimsWithoutCertificate',
    about:
      '*Missing certificates*: whether a listener without its certificate is *kept* when listeners of its port and hostname conflict, or *dropped*, so that the next one takes the requests.',
  },
  {
    fact: 'sharedProxies',
    about:
      '*Shared proxies*: whether settings of a GatewayClass decide that its Gateways share proxies, so that their listeners can conflict. The condition `Conflicted` is not known then.',
  },
  {
    fact: 'caCertificatesInSecrets',
    about: '*CA in Secrets*: whether CA certificates for clients can be in Secrets.',
  },
  {
    fact: 'adjacentSlashes',
    about:
      '*Adjacent slashes*: whether a request for `//cart` is *merged* to `/cart`, or *kept*. Settings can change it: `path.disableMergeSlashes` (Envoy Gateway), `pathNormalization` (Istio).',
  },
];

function dataPlaneSection(): string {
  const rows = dataPlanes.map(({ system, controllers, ...known }) => {
    const cells = dataPlaneFacts.map(({ fact }) => {
      const { value, source } = known[fact] ?? {};
      return value === undefined ? 'both' : `${value} (<${source}>)`;
    });
    return `| ${[system, controllers.map((domain) => `\`${domain}\``).join(' '), ...cells].join(' | ')} |`;
  });
  return [
    '## Data planes\n',
    'The choices of data planes where Gateway API leaves one, by the controller of the GatewayClass, each with its source. For other controllers, and without the',
    'GatewayClass, the fact is *both*, and dependent results are undecided.\n',
    ...dataPlaneFacts.map(({ about }) => `- ${about}`),
    '\n| system | controllers | shared hostnames | hostname precedence | missing ports | regular expressions | listener isolation | misdirected requests | listeners without TLS | missing certificates | shared proxies | CA in Secrets | adjacent slashes |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function creatorSection(): string {
  const rows = rowsByFacts(
    creatorKinds,
    ({ kind }) => `\`${kind.kind}\` of \`${kind.group}\``,
    ({ system, creates, source }) =>
      `${system} | ${creates.map((it) => `${it.kind} \`${it.name}\``).join(', ')} | <${source}>`,
  );
  return [
    '## Objects that controllers create\n',
    'Controllers create these objects for objects of other kinds. `{name}` is the name of the other object, and `*` stands for any characters. If a created object is not',
    'among your resources, dependent results are undecided. So are requests at a Gateway that an object of an unknown kind names in `spec.parentRefs`.\n',
    '| kind | system | creates | source |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function outsideSection(): string {
  const rows = outsideKinds.map(
    ({ system, group, kind, reason, source }) =>
      `| ${system} | ${kind === undefined ? 'all kinds' : `\`${kind}\``} of \`${group}\` | ${reason} | <${source}> |`,
  );
  return [
    '## Kinds that are not read\n',
    '`gwpolicy kinds` lists policies of these kinds. They are not attached.\n',
    '| system | kinds | reason | source |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function unconsideredSection(): string {
  const effects = { routes: 'route requests', changes: 'change a data plane' };
  const rows = rowsByFacts(
    unconsideredKinds,
    ({ group, kind }) => `\`${kind}\` of \`${group}\``,
    ({ system, effect, source }) => `${system} | ${effects[effect]} | <${source}>`,
  );
  return [
    '## Kinds that are not considered\n',
    'The effects of these objects on requests are not computed. A guarantee that holds names such objects as assumptions.\n',
    '| kind | system | its objects | source |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function otherSection(): string {
  const rows = rowsByFacts(
    otherKinds,
    ({ group, kind }) => `\`${kind}\` of \`${group}\``,
    ({ system, objects, source }) => `${system} | ${objects} | <${source}>`,
  );
  return [
    '## Kinds that are not policies\n',
    'Objects of these kinds name a target, as policies do, and are left out.\n',
    '| kind | system | objects | source |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** Whether an exception is about several systems, so that one sentence about them is enough. */
function isGeneral({ kinds }: Exception): boolean {
  return kinds.includes('*') || kinds.length > 2;
}

function generalSection(): string {
  return [
    '## In general\n',
    'The table differs from the definitions of systems in these facts:\n',
    ...exceptions.filter(isGeneral).map(({ kinds, facts, reason }) => {
      const groups = kinds.filter((kind) => kind !== '*').map((kind) => `\`${kind.slice('*.'.length)}\``);
      return `- ${capitalized(facts.join('; '))}${groups.length === 0 ? '' : ` in ${groups.join(', ')}`}: ${reason}`;
    }),
    '',
  ].join('\n');
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
