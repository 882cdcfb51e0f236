import type { CommandEntry } from '../model/command.ts';
import { clusterFlags, inputFlags } from '../model/flags.ts';
import { findingFormats, listFormats, textFormats } from '../model/formats.ts';

/** The commands that compare the present state with another: one that would be, or one that should be. */
export const changeCommands: readonly CommandEntry[] = [
  {
    name: 'diff',
    args: '[paths...]',
    usage: '[BEFORE AFTER | --git A..B [PATH...]]',
    summary: 'Say what changes for whom between two folders, or two revisions.',
    examples: [
      ['diff before/ after/', 'two folders'],
      ['diff --git origin/main...HEAD deploy/', 'what a pull request changes'],
      ['diff --git main deploy/ --only namespace=shop', 'what the working tree changes for one team'],
      ['diff ingress/ gateways/ --requests', 'which requests a migration treats in another way'],
    ],
    flags: ['git', 'exclude', 'only', 'failOnChange', 'guarantees', 'requests', 'namespace', 'kinds', 'dialect'],
    input: 'own',
    formats: textFormats,
    load: () => import('./diff.ts'),
  },
  {
    name: 'impact',
    summary: 'Say what would change for whom if files were applied, or objects deleted.',
    examples: [
      ['impact -f retry.yaml', 'before kubectl apply'],
      ['impact --remove retrypolicy/house-rules -n infra', 'before kubectl delete'],
      ['impact -f retry.yaml --against deploy/', 'with files instead of the cluster'],
    ],
    flags: [
      'change',
      'exclude',
      'kustomize',
      'remove',
      'against',
      'only',
      'failOnChange',
      'guarantees',
      ...clusterFlags,
    ],
    input: 'own',
    formats: textFormats,
    load: () => import('./impact.ts'),
  },
  {
    name: 'test',
    args: '[path]',
    usage: '[PATH]',
    summary:
      'Run the tests in *.policy-test.yaml files: what applies where, what became of policies, what requests meet.',
    examples: [
      ['test', 'all tests in this folder and below'],
      ['test deploy/ --run checkout', 'some of them'],
      ['test --update', 'write the computed values into cases that fail'],
      ['test -o junit > results.xml', 'results for CI'],
    ],
    flags: ['run', 'update', 'allowParent', 'requireTests', 'exclude', 'namespace', 'kinds', 'dialect'],
    input: 'own',
    formats: ['table', 'json', 'yaml', 'markdown', 'junit', 'github'],
    load: () => import('./test.ts'),
  },
  {
    name: 'verify',
    args: '[guarantees...]',
    usage: '[GUARANTEES...]',
    summary: 'Say whether guarantees hold for every request, and show a request that breaks them.',
    details: [
      'Guarantees are objects of the kind Guarantee, in files, or in the input if no file is named.',
      'The exit code is 1 if one is broken. With --strict, it is 4 if one is undecided, and 3 if one is about no request.',
    ].join('\n'),
    examples: [
      ['verify -f cluster/ guarantees.yaml', 'files against files'],
      ['verify guarantees.yaml', 'files against the cluster'],
      ['verify --strict -o sarif', 'the guarantees of the cluster, for code scanning'],
    ],
    flags: [...inputFlags],
    assumesNothing: true,
    input: 'own',
    formats: findingFormats,
    load: () => import('./verify.ts'),
  },
  {
    name: 'status',
    args: '[policy] [name]',
    usage: '[KIND/NAME]',
    summary: 'Say whether the statuses of policies agree with what is computed: whether a controller works.',
    examples: [
      ['status', 'the policies of this namespace'],
      ['status -A --controller-name example.com/gateway-controller', 'what one controller reports'],
      ['status retrypolicy/careful -o json', 'one policy'],
    ],
    flags: ['controllerName'],
    ignoresStatus: true,
    isList: true,
    input: 'world',
    formats: listFormats,
    load: () => import('./status.ts'),
  },
];
