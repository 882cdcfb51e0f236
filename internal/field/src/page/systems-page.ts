import type { DataPlane } from '@policy-machinery/gateway-api';
import {
  backendKinds,
  creatorKinds,
  dataPlanes,
  type KnownKind,
  knownKinds,
  otherKinds,
  outsideKinds,
  unconsideredKinds,
} from '@policy-machinery/known-kinds';
import { concernsOf } from '@policy-machinery/known-kinds/concerns';
import { formatGroupKind } from '@policy-machinery/resource';
import { describeTargetable } from '@policy-machinery/topology';
import { type Exception, exceptions, isAbout } from '../crds/exceptions.ts';

/** Where statuses have their conditions, in words. */
const places = { ancestors: 'for each ancestor', conditions: 'in one list', other: 'not read' };

const head = `# Systems

What the table of [\`@policy-machinery/known-kinds\`](../packages/known-kinds) knows about the policies of existing systems, from which source, and what it
does not know. \`npm run docs:systems\` writes this page from the table; \`npm run check:field\` compares the table with the systems' own definitions.

- *Named in* lists the fields with targets that the definition of a kind has, each with its fields beside \`group\`, \`kind\`, \`name\` and \`matchLabels\`. API
  servers drop others, which \`gwpolicy lint\` reports as \`dropped-field\`.
- *Own field* lists the fields of routes and backends that set what policies also set, as far as somebody has looked them up. Of *not known* ones and all
  others, the policy is taken to count.
- *Merged* says whether it is known how policies of a kind become one. If not, they are shown side by side, until you name a dialect.
- *At Gateways of* lists the controllers at whose Gateways policies count, by their domain in the \`controllerName\` of a GatewayClass. At Gateways of
  a controller that is not known, all policies count.
- *Concerns* lists what policies of a kind do for requests, such as authentication, as \`gwpolicy coverage\` reports it.
- *Read for* lists the options of \`definePolicyKind\` with which the row reads and merges policies.
- Where the definition of a kind is among your resources, it decides about versions, default values and what a policy may contain.
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

function sectionOf(system: string): string {
  const kinds = knownKinds.filter((it) => it.system === system);
  const sources = [...new Set(kinds.map(({ source }) => source))];
  const unknown = unknownOf(kinds);
  return [
    `## ${system}\n`,
    `${sources.length === 1 ? 'Source' : 'Sources'}: ${sources.map((source) => `<${source}>`).join(', ')}.\n`,
    '| kind | versions | class | targets | named in | merged | conditions | at Gateways of | concerns | read for |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...kinds.map(rowOf),
    '',
    ...ownFieldsOf(kinds),
    ...(unknown.length === 0 ? [] : ['Not known, or not done:\n', ...unknown.map((text) => `- ${text}`), '']),
  ].join('\n');
}

function rowOf(known: KnownKind): string {
  const { group, kind, versions, policyClass, targets, targetFields, merging, status, controllers, options } = known;
  const cells = [
    `\`${kind}\` of \`${group}\``,
    versions.join(', '),
    policyClass,
    targets.map(describeTargetable).join(', '),
    fieldsOf(targetFields),
    merging === 'known' ? 'yes' : 'not known',
    places[status],
    controllers?.map((domain) => `\`${domain}\``).join(' ') ?? 'all',
    concernsIn(known),
    options.map((option) => `\`${option}\``).join(' '),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Returns the concerns that policies of a kind serve. */
function concernsIn(known: KnownKind): string {
  const { fields = [] } = concernsOf(known) ?? {};
  const served = fields.filter(({ role = 'serves' }) => role === 'serves').map(({ concern }) => concern);
  return [...new Set(served)].join(', ') || 'none';
}

/** Returns the table of the fields of routes and backends that set what policies also set. */
function ownFieldsOf(kinds: readonly KnownKind[]): readonly string[] {
  const rows = kinds.flatMap(({ kind, ownFields }) =>
    ownFields.map(({ of, field, policyField, counts, source }) => {
      const from = source === undefined ? '' : `<${source}>`;
      return `| \`${field}\` of ${of} | \`${policyField}\` of \`${kind}\` | ${counts} | ${from} |`;
    }),
  );
  if (rows.length === 0) return [];
  return ['| own field | field of policies | which counts | source |', '|---|---|---|---|', ...rows, ''];
}

/** Returns the fields with targets, each with its fields beside those that all references and selectors have. */
function fieldsOf(targetFields: KnownKind['targetFields']): string {
  if (targetFields === undefined) return 'not known';
  const fields = Object.entries(targetFields).map(([field, more]) =>
    more.length === 0 ? `\`${field}\`` : `\`${field}\` (${more.map((it) => `\`${it}\``).join(', ')})`,
  );
  return fields.join(', ') || 'none of these';
}

/** Returns what is not known about some kinds, as sentences. What is said of several kinds is said once. */
function unknownOf(kinds: readonly KnownKind[]): readonly string[] {
  const said = new Map<string, string[]>();
  const say = (text: string, kind: string) => said.set(text, [...(said.get(text) ?? []), kind]);
  for (const known of kinds) {
    if (known.merging === 'unknown') say('How its policies are merged is not known.', known.kind);
    for (const note of known.notes) say(note, known.kind);
    for (const exception of exceptions.filter(({ kinds: about }) => !about.includes('*'))) {
      if (isAbout(exception, formatGroupKind(known))) say(textOf(exception), known.kind);
    }
  }
  return [...said].map(([text, about]) => (about.length === kinds.length ? text : `${about.join(', ')}: ${text}`));
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
    'Kinds of backends of routes beside Services. Objects of any other kind are found among your resources, too, if a route refers to them.\n',
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
      '*Shared hostnames*: whether an HTTPRoute and a GRPCRoute may have a hostname in common at one listener. If not, the younger route is refused there.',
  },
  {
    fact: 'hostnamePrecedence',
    about:
      '*Hostname precedence*: which hostnames of two routes decide between them, those that the *route* names, or the *intersection* with the hostname of the listener.',
  },
  {
    fact: 'missingPorts',
    about:
      '*Missing ports*: whether a route may refer to a port that a Service does not have. If not, `ResolvedRefs` is `False`.',
  },
  {
    fact: 'regularExpressionPaths',
    about:
      '*Regular expressions*: whether a path that is a regular expression precedes prefixes of paths. Exact paths precede both.',
  },
  {
    fact: 'listenerIsolation',
    about:
      '*Listener isolation*: whether a request that arrives at a listener reaches only its routes, and not the routes of a listener with a less specific hostname. kgateway isolates listeners as of version 2.4.',
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
    'What data planes do where Gateway API leaves a choice to implementations, by the controller of the GatewayClass, with the source of each fact. A fact is',
    '*both* for all other controllers, and if the GatewayClass is not among the resources: what depends on it is undecided.\n',
    ...dataPlaneFacts.map(({ about }) => `- ${about}`),
    '\n| system | controllers | shared hostnames | hostname precedence | missing ports | regular expressions | listener isolation |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function creatorSection(): string {
  const rows = creatorKinds.map(
    ({ system, kind, creates, source }) =>
      `| \`${kind.kind}\` of \`${kind.group}\` | ${system} | ${creates.map((it) => `${it.kind} \`${it.name}\``).join(', ')} | <${source}> |`,
  );
  return [
    '## Objects that controllers create\n',
    'Controllers create these objects for objects of other kinds. `{name}` is the name of the other object, and `*` stands for any characters. What depends on',
    'a created object that is not among your resources is undecided, with the name of the other object. So is what happens to requests at a Gateway that an object of',
    'an unknown kind names in `spec.parentRefs`.\n',
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
    'Policies of these kinds are listed by `gwpolicy kinds`, and are not attached.\n',
    '| system | kinds | reason | source |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function unconsideredSection(): string {
  const effects = { routes: 'route requests', changes: 'change a data plane' };
  const rows = unconsideredKinds.map(
    ({ system, group, kind, effect, source }) =>
      `| \`${kind}\` of \`${group}\` | ${system} | ${effects[effect]} | <${source}> |`,
  );
  return [
    '## Kinds that are not considered\n',
    'Objects of these kinds have an effect on requests that nothing here looks at. A guarantee that holds names those among your resources as assumptions.\n',
    '| kind | system | its objects | source |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function otherSection(): string {
  const rows = otherKinds.map(
    ({ system, group, kind, objects, source }) =>
      `| \`${kind}\` of \`${group}\` | ${system} | ${objects} | <${source}> |`,
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

function generalSection(): string {
  const general = exceptions.filter(({ kinds }) => kinds.includes('*'));
  return [
    '## In general\n',
    ...general.map(({ facts, reason }) => `- ${capitalized(facts.join('; '))}: ${reason}`),
    '',
  ].join('\n');
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
