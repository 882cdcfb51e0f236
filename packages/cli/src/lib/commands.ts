import { changeCommands } from './change-commands.ts';
import type { CommandEntry } from './frame/command.ts';
import { findingFormats, listFormats, textFormats } from './frame/formats.ts';

/** All commands, in the order in which help lists them. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'get',
    args: '[what] [name]',
    summary: 'List policies, or the objects of a kind with the policies that affect them.',
    examples: [
      ['get', 'the policies, and what became of each'],
      ['get timeoutpolicies -A -o wide', 'those of one kind, in all namespaces, with reasons'],
      ['get httproutes', 'routes, and the policies that affect them'],
    ],
    flags: ['selector'],
    input: 'world',
    formats: listFormats,
    load: () => import('./commands/get.ts'),
  },
  {
    name: 'explain',
    args: '<target> [rest...]',
    summary: 'Say what applies to a target: who set each field, who lost, and why.',
    examples: [
      ['explain httproute/checkout', 'what applies to a route of the current namespace'],
      ['explain HTTPRoute shop/checkout#pay /request', 'one field of one rule'],
      ['explain gateway/public -n infra -f deploy/', 'what applies below a Gateway, from files'],
    ],
    input: 'world',
    formats: textFormats,
    load: () => import('./commands/explain.ts'),
  },
  {
    name: 'reach',
    args: '<policy> [name]',
    summary: 'Say where a policy has effect, and what it lost to whom.',
    examples: [['reach timeoutpolicy/house-rules -n infra', 'all targets that the policy applies to']],
    input: 'world',
    formats: listFormats,
    load: () => import('./commands/reach.ts'),
  },
  {
    name: 'tree',
    args: '[target] [name]',
    summary: 'Draw the hierarchy, with the policies at each target.',
    examples: [
      ['tree -A', 'all classes, Gateways, listeners, routes, rules and backends'],
      ['tree httproute/checkout', 'what is above and below a route'],
    ],
    input: 'world',
    formats: textFormats,
    load: () => import('./commands/tree.ts'),
  },
  {
    name: 'request',
    args: '<url>',
    summary: 'Say which rule takes a request, and which policies the request meets.',
    examples: [
      ['request https://shop.example.com/cart', 'a request to any Gateway'],
      ['request shop.example.com:8080/cart -X POST -H "x-canary: yes"', 'one with a port, a method and a header'],
    ],
    flags: ['method', 'header', 'gateway', 'client'],
    input: 'world',
    formats: textFormats,
    load: () => import('./commands/request.ts'),
  },
  {
    name: 'lint',
    summary: 'List what is wrong, with file and line.',
    examples: [
      ['lint -R -f deploy/', 'a folder with its subfolders'],
      ['lint -f -', 'what helm template prints to a pipe'],
      ['lint -f deploy/ -o sarif', 'findings for code scanning'],
    ],
    flags: ['failOn'],
    input: 'world',
    formats: findingFormats,
    load: () => import('./commands/lint.ts'),
  },
  ...changeCommands,
  {
    name: 'kinds',
    summary: 'List the policy kinds, how each was found, and what is not known of them.',
    input: 'world',
    formats: listFormats,
    load: () => import('./commands/kinds.ts'),
  },
  {
    name: 'graph',
    args: '[target] [name]',
    summary: 'Draw the topology with its policies, for Mermaid or Graphviz.',
    examples: [
      ['graph gateway/public -n infra -o dot | dot -Tsvg > public.svg', 'a picture of what is around a Gateway'],
    ],
    input: 'world',
    formats: ['mermaid', 'dot', 'json', 'yaml'],
    load: () => import('./commands/graph.ts'),
  },
  {
    name: 'report',
    summary: 'Make one HTML page that answers questions about targets, policies and requests.',
    examples: [['report -A > policies.html', 'a page about the cluster, which needs no network']],
    input: 'world',
    formats: ['html'],
    load: () => import('./commands/report.ts'),
  },
  {
    name: 'completion',
    args: '<shell>',
    summary: 'Print a script that completes commands, flags and names: for bash, zsh, fish or powershell.',
    examples: [['completion bash > /etc/bash_completion.d/gwpolicy', 'for all users of a machine']],
    input: 'own',
    formats: ['table'],
    load: () => import('./commands/completion.ts'),
  },
  {
    name: 'version',
    summary: 'Show the version.',
    input: 'own',
    formats: ['table', 'json', 'yaml'],
    load: () => import('./commands/version.ts'),
  },
];
