/** How a flag is written, and the form of its value: a switch, a text, a list of texts, or one of some words. */
export type FlagDefinition =
  | { readonly type: 'switch'; readonly spelling: string; readonly description: string }
  | { readonly type: 'text'; readonly spelling: string; readonly description: string }
  | { readonly type: 'list'; readonly spelling: string; readonly description: string }
  | {
      readonly type: 'choice';
      readonly spelling: string;
      readonly description: string;
      readonly choices: readonly string[];
    };

/** All flags, by the name of their value. Spellings are kubectl's where kubectl has such a flag. */
export const flags = {
  filename: {
    type: 'list',
    spelling: '-f, --filename <path>',
    description: 'Read a file, a folder, or - for standard input, instead of the cluster. Can be repeated.',
  },
  recursive: { type: 'switch', spelling: '-R, --recursive', description: 'Also read the subfolders of folders.' },
  exclude: {
    type: 'list',
    spelling: '--exclude <pattern>',
    description: 'Leave out files in folders, as a line of a .gitignore does. Can be repeated.',
  },
  kustomize: {
    type: 'text',
    spelling: '-k, --kustomize <folder>',
    description: 'Read the output of "kubectl kustomize" for a folder.',
  },
  live: { type: 'switch', spelling: '--live', description: 'Read the cluster as well, and lay the files over it.' },
  namespace: {
    type: 'text',
    spelling: '-n, --namespace <name>',
    description: 'The namespace of names and objects without one. A list shows only this namespace.',
  },
  allNamespaces: { type: 'switch', spelling: '-A, --all-namespaces', description: 'List all namespaces.' },
  selector: { type: 'text', spelling: '-l, --selector <labels>', description: 'Only objects with these labels.' },
  outcome: {
    type: 'list',
    spelling: '--outcome <outcome>',
    description: 'Only policies with this outcome, such as partly-enforced. Can be repeated.',
  },
  context: { type: 'text', spelling: '--context <name>', description: 'The context of the kubeconfig.' },
  kubeconfig: { type: 'text', spelling: '--kubeconfig <file>', description: 'The kubeconfig.' },
  as: { type: 'text', spelling: '--as <user>', description: 'The user to impersonate.' },
  asGroup: { type: 'list', spelling: '--as-group <group>', description: 'A group to impersonate. Can be repeated.' },
  strict: {
    type: 'switch',
    spelling: '--strict',
    description: 'Exit with 2 if a kind may not be read or is misspelled, and with 3 if the input is empty.',
  },
  allowUndecided: {
    type: 'switch',
    spelling: '--allow-undecided',
    description: 'Exit with 0, not with 4, if a guarantee is undecided.',
  },
  every: {
    type: 'list',
    spelling: '--every <what>',
    description:
      'Verify that every request meets a concern, such as authentication, or a policy of a kind with a field, such as SecurityPolicy.jwt. Can be repeated.',
  },
  base: {
    type: 'text',
    spelling: '--base <revision>',
    description: 'Also use the guarantees or tests of this git revision that a change edits or deletes.',
  },
  baseline: {
    type: 'text',
    spelling: '--baseline <path>',
    description:
      'Only report requests that keep a guarantee in this file or folder with the manifests before a change.',
  },
  verbose: {
    type: 'switch',
    spelling: '-v, --verbose',
    description: 'Name all kinds that may not be read, where they may be, and the rights to ask for.',
  },
  kinds: {
    type: 'list',
    spelling: '--kinds <file>',
    description: 'Policy kinds of your own: a module or a YAML file. Can be repeated.',
  },
  dialect: {
    type: 'list',
    spelling: '--dialect <kind=profile>',
    description: 'How policies of a kind are merged: example.com/TimeoutPolicy=gep713. Can be repeated.',
  },
  ignoreStatus: {
    type: 'switch',
    spelling: '--ignore-status',
    description: 'Ignore the statuses of policies. Default: a policy that its controller has refused sets no field.',
  },
  showSecrets: {
    type: 'switch',
    spelling: '--show-secrets',
    description: 'Show the values of fields with secrets. Default: show *** instead.',
  },
  output: { type: 'text', spelling: '-o, --output <format>', description: 'The format of the answer.' },
  headers: { type: 'switch', spelling: '--no-headers', description: 'Print tables without their first line.' },
  color: {
    type: 'choice',
    spelling: '--color <when>',
    description: 'Colours: on a terminal only, always, or never.',
    choices: ['auto', 'always', 'never'],
  },
  watch: { type: 'switch', spelling: '-w, --watch', description: 'Answer again whenever the answer changes.' },
  failOn: {
    type: 'choice',
    spelling: '--fail-on <what>',
    description:
      'Which findings make the exit code 1: errors, also warnings (the default), also policies without any effect, or none.',
    choices: ['error', 'warning', 'lost', 'none'],
  },
  failOnChange: {
    type: 'choice',
    spelling: '--fail-on <what>',
    description:
      'Which changes make the exit code 1: any (the default); policies that lose all effect or can no longer be read, and protection that they replace; requests without protection, for any reason; or none.',
    choices: ['any', 'lost', 'unprotected', 'none'],
  },
  only: {
    type: 'list',
    spelling: '--only <key=value>',
    description:
      'Only answers about namespace=NAME; for changes, also kind=POLICY_KIND or target=KIND. Can be repeated.',
  },
  guarantees: {
    type: 'list',
    spelling: '--guarantees <path>',
    description: 'Also show which guarantees of these files the change breaks or restores. Can be repeated.',
  },
  newAccess: {
    type: 'switch',
    spelling: '--no-new-access',
    description:
      'List requests that were refused or protected by authentication or authorization and are now open. The exit code is then 1, or 4 if this is undecided; other differences only count with --fail-on.',
  },
  requests: {
    type: 'switch',
    spelling: '--requests',
    description: 'Also list requests with other rules, backends or effective policies.',
  },
  by: {
    type: 'choice',
    spelling: '--by <what>',
    description: 'The unit of each row; a class is a hostname with a path. Default: namespace.',
    choices: ['namespace', 'gateway', 'listener', 'hostname', 'route', 'rule', 'class'],
  },
  concern: {
    type: 'list',
    spelling: '--concern <name>',
    description: 'Only this concern, such as authentication or rate-limit. Can be repeated.',
  },
  uncovered: {
    type: 'switch',
    spelling: '--uncovered',
    description: 'List the routes that are not covered, with reasons. Default concerns: the required ones.',
  },
  require: {
    type: 'list',
    spelling: '--require <concern>',
    description: 'A concern that all requests must meet, besides authentication and client-tls. Can be repeated.',
  },
  accept: {
    type: 'list',
    spelling: '--accept <file>',
    description: 'A file with requests that need not meet a concern, and the reasons. Can be repeated.',
  },
  failOnUncovered: {
    type: 'text',
    spelling: '--fail-on <what>',
    description:
      'Which gaps make the exit code 1: uncovered, uncovered:CONCERN[,CONCERN], or none (the default). It is 4 if coverage is not known.',
  },
  git: {
    type: 'text',
    spelling: '--git <revisions>',
    description:
      'Compare two revisions, A..B, or one with the working tree. Arguments are paths. Default: this folder.',
  },
  change: {
    type: 'list',
    spelling: '-f, --filename <path>',
    description: 'A file or folder to apply. Can be repeated.',
  },
  remove: {
    type: 'list',
    spelling: '--remove <kind/name>',
    description: 'An object to delete. Can be repeated.',
  },
  against: {
    type: 'list',
    spelling: '--against <path>',
    description: 'Read these files and folders instead of the cluster. Can be repeated.',
  },
  run: {
    type: 'text',
    spelling: '--run <pattern>',
    description: 'Only cases with a name that matches a regular expression.',
  },
  update: { type: 'switch', spelling: '--update', description: 'Write the computed values into cases that fail.' },
  allowParent: {
    type: 'switch',
    spelling: '--allow-parent',
    description: 'Allow tests to read resources outside of the tested folder.',
  },
  requireTests: { type: 'switch', spelling: '--require-tests', description: 'Exit with 2 without tests.' },
  controllerName: {
    type: 'text',
    spelling: '--controller-name <name>',
    description: 'Only statuses of this controller, such as example.com/gateway-controller. Default: any controller.',
  },
  method: { type: 'text', spelling: '-X, --method <method>', description: 'The method of the request. Default: GET.' },
  header: {
    type: 'list',
    spelling: '-H, --header <name:value>',
    description: 'A header of the request. Can be repeated.',
  },
  gateway: { type: 'text', spelling: '--gateway <name>', description: 'Only requests to this Gateway.' },
  client: {
    type: 'text',
    spelling: '--client <namespace>',
    description: 'A request in a mesh, to the Service that the URL names, from a client in this namespace.',
  },
  address: {
    type: 'text',
    spelling: '--address <address>',
    description: 'The address that serves the page. Default: 127.0.0.1, which only this machine can reach.',
  },
  port: { type: 'text', spelling: '--port <number>', description: 'The port. Default: 0, a free one.' },
} as const satisfies Readonly<Record<string, FlagDefinition>>;

export type FlagName = keyof typeof flags;

interface ValueOfType {
  readonly switch: boolean;
  readonly text: string;
  readonly list: readonly string[];
  readonly choice: string;
}

/** The values of the flags that were given. */
export type Options = { readonly [Name in FlagName]?: ValueOfType[(typeof flags)[Name]['type']] };

/** The flags for the place of a cluster and the user. They are kubectl's own. */
export const connectionFlags = ['context', 'kubeconfig', 'as', 'asGroup'] as const satisfies readonly FlagName[];

/** The flags of a command that reads a cluster: the cluster, namespaces and kinds. */
export const clusterFlags = [
  'namespace',
  'allNamespaces',
  ...connectionFlags,
  'strict',
  'verbose',
  'kinds',
  'dialect',
] as const satisfies readonly FlagName[];

/** The flags of every command that reads objects. */
export const inputFlags = [
  'filename',
  'recursive',
  'exclude',
  'kustomize',
  'live',
  ...clusterFlags,
  'ignoreStatus',
  'showSecrets',
] as const satisfies readonly FlagName[];

/** The flags of a command that serves: the input of its answers. Each answer reports by itself which input could not be read. */
export const servedFlags = [
  ...inputFlags.filter((name) => !['allNamespaces', 'strict', 'verbose'].includes(name)),
  'only',
] as const satisfies readonly FlagName[];

/** The flags of every command that prints an answer. */
export const outputFlags = ['output', 'headers', 'color'] as const satisfies readonly FlagName[];

/** Returns the spellings of a flag: `-n`, `--namespace`. The last one is the long one. */
export function spellingsOf(name: FlagName): readonly string[] {
  return flags[name].spelling.replace(/ <.*/, '').split(', ');
}

/** Returns the long spelling of a flag: `--namespace`. */
export function longSpellingOf(name: FlagName): string {
  return spellingsOf(name).at(-1) ?? '';
}
