import { gatewayApi } from '@policy-machinery/gateway-api';
import { knownKinds } from '@policy-machinery/known-kinds';
import { commands } from '../commands/commands.ts';
import { loadWorld } from '../input/load.ts';
import { kubectlArgs } from '../input/scope.ts';
import { declaredTargetsOfKind, policiesOfKind } from '../input/topologies.ts';
import type { Environment } from '../model/environment.ts';
import { connectionFlags, type FlagName, flags, type Options } from '../model/flags.ts';
import type { World } from '../model/world.ts';
import { type NamedKind, namedKinds } from '../names/named-kinds.ts';
import { type Candidates, candidatesOf, directives, filesOnly, protocolText, unfinished } from './candidates.ts';
import { everyWords, pointersAt } from './fields.ts';
import { flagCandidates, readWords, type WordsBefore } from './words-before.ts';

/** How long a shell waits for names, in milliseconds. */
const patience = 1000;

/**
 * Completes the last word of a command line.
 *
 * @param words The words without the name of the program; the last one is completed, and may be empty.
 * @param environment Files and kubectl, which know names. If they fail or take longer than a second, names are left out.
 * @returns The answer by Cobra's protocol.
 */
export async function complete(words: readonly string[], environment: Environment): Promise<string> {
  const last = words.at(-1) ?? '';
  const current = last === '""' ? '' : last; // PowerShell drops a word without quotes, and some versions send the quotes.
  const line = readWords(words.slice(0, -1));
  const isQuoted = !environment.programName.startsWith('kubectl '); // kubectl's own script reads these answers.
  return protocolText(await candidatesFor(line, current, environment), current, isQuoted);
}

async function candidatesFor(line: WordsBefore, current: string, environment: Environment): Promise<Candidates> {
  const { command, open, args } = line;
  if (open !== undefined) return valuesOf(open, current, line, environment);
  if (command === undefined) {
    const words = commands.map(({ name, summary }) => ({ word: name, description: summary }));
    return { words, directive: directives.noFiles };
  }
  if (current.startsWith('-')) return { words: flagCandidates(command), directive: directives.noFiles };
  const wanted = kindsTaken[command.name];
  if (wanted === undefined) return candidatesOf([]);
  if (args.length > 0)
    return command.name === 'explain' ? fieldsOf(args, current, line, environment) : candidatesOf([]);
  return namesFor(wanted, current, line, environment);
}

/** The kinds that the first argument of each command names. */
const kindsTaken: Readonly<Record<string, 'target' | 'policy' | 'any'>> = {
  get: 'any',
  explain: 'target',
  tree: 'target',
  graph: 'target',
  reach: 'policy',
};

async function valuesOf(
  flag: FlagName,
  current: string,
  line: WordsBefore,
  environment: Environment,
): Promise<Candidates> {
  const definition = flags[flag];
  if (definition.type === 'choice') return candidatesOf(definition.choices);
  if (flag === 'output') return candidatesOf(line.command?.formats ?? []);
  if (flag === 'context') return candidatesOf(await lines(environment, ['config', 'get-contexts', '--output', 'name']));
  if (flag === 'namespace' || flag === 'client') {
    const names = await lines(environment, [...clusterArgs(line), 'get', 'namespaces', '--output', 'name']);
    return candidatesOf(names.map((name) => name.replace(/^namespace\//, '')));
  }
  if (flag === 'every') return unfinished(await everyWords(await worldOf(line, environment), current));
  return filesOnly;
}

/** Returns the pointers to the fields of a target of files; none if the arguments do not name one. */
async function fieldsOf(args: readonly string[], current: string, line: WordsBefore, environment: Environment) {
  const world = current.startsWith('/') || current === '' ? await worldOf(line, environment) : undefined;
  return unfinished(world === undefined ? [] : await pointersAt(world, args, current || '/').catch(() => []));
}

/** Returns the world of files; `undefined` without files, or if they cannot be read. */
async function worldOf(line: WordsBefore, environment: Environment): Promise<World | undefined> {
  const options = optionsOf(line);
  if (options.filename === undefined && options.kustomize === undefined) return undefined;
  return loadWorld(options, environment, () => {}, { isList: true }).catch(() => undefined);
}

async function namesFor(
  wanted: 'target' | 'policy' | 'any',
  current: string,
  line: WordsBefore,
  environment: Environment,
): Promise<Candidates> {
  const options = optionsOf(line);
  const world = await worldOf(line, environment);
  const kinds = (world === undefined ? usualKinds() : namedKinds(world)).filter(
    ({ isPolicy }) => wanted === 'any' || isPolicy === (wanted === 'policy'),
  );
  const slash = current.indexOf('/');
  if (slash < 0) {
    const end = wanted === 'any' ? '' : '/';
    const words = kinds.map(({ kind }) => ({ word: `${kind.toLowerCase()}${end}` }));
    return { words, directive: directives.noFiles + (wanted === 'any' ? 0 : directives.noSpace) };
  }
  const word = current.slice(0, slash);
  const kind = kinds.find(({ words }) => words.includes(word.toLowerCase()));
  if (kind === undefined) return candidatesOf([]);
  if (world === undefined)
    return candidatesOf((await namesInCluster(kind, line, environment)).map((name) => `${word}/${name}`));
  const objects = kind.isPolicy
    ? policiesOfKind(world, kind).map(({ resource }) => resource)
    : declaredTargetsOfKind(world, kind).map(({ resource }) => resource);
  const names = objects.map(({ metadata: { namespace, name } }) =>
    namespace === undefined || options.namespace === namespace ? name : `${namespace}/${name}`,
  );
  return candidatesOf(names.map((name) => `${word}/${name}`));
}

/** Returns the kinds that a cluster may have, without a request to it. */
function usualKinds(): readonly NamedKind[] {
  const named = (isPolicy: boolean) => (kind: { readonly group: string; readonly kind: string }) => {
    return { group: kind.group, kind: kind.kind, isPolicy, isUsed: false, words: [kind.kind.toLowerCase()] };
  };
  return [...gatewayApi().map(named(false)), ...knownKinds.map(named(true))];
}

async function namesInCluster({ kind, group }: NamedKind, line: WordsBefore, environment: Environment) {
  const { namespace } = line.values;
  const within = namespace === undefined ? [] : ['--namespace', ...namespace.slice(-1)];
  const resource = group === '' ? kind : `${kind}.${group}`;
  const names = await lines(environment, [
    ...clusterArgs(line),
    ...within,
    'get',
    resource.toLowerCase(),
    '--output',
    'name',
  ]);
  return names.map((name) => name.slice(name.indexOf('/') + 1));
}

function clusterArgs(line: WordsBefore): readonly string[] {
  return kubectlArgs(optionsOf(line));
}

const placeFlags = ['filename', 'kustomize', 'exclude', 'namespace', ...connectionFlags, 'kinds', 'recursive'] as const;

function optionsOf({ values }: WordsBefore): Options {
  const given = placeFlags.flatMap((name) => {
    const all = values[name];
    if (all === undefined) return [];
    const { type } = flags[name];
    return [[name, type === 'list' ? all : type === 'switch' ? true : all.at(-1)] as const];
  });
  return Object.fromEntries(given);
}

async function lines({ kubectl }: Environment, args: readonly string[]): Promise<readonly string[]> {
  const text = await kubectl(args, AbortSignal.timeout(patience)).catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}
