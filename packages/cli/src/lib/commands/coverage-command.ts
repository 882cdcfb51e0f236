import type { CommandEntry } from '../model/command.ts';
import { inputFlags } from '../model/flags.ts';

/** The command that shows which requests are protected. */
export const coverageCommand: CommandEntry = {
  name: 'coverage',
  group: 'Ask',
  args: '[paths...]',
  usage: '[PATH | BEFORE AFTER | --git A..B [PATH...]]',
  summary:
    'Show which requests are protected: by authentication, TLS, rate limits and more, with the policy or the reason.',
  details: [
    'A route or Gateway accepts that a concern is missing with the annotation coverage.policy-machinery/accept: "authentication: public health checks".',
    'A Gateway requires more with the annotation coverage.policy-machinery/require: rate-limit, waf.',
  ].join('\n'),
  examples: [
    ['coverage deploy/', 'a folder'],
    ['coverage --concern authentication --uncovered', 'the routes of the cluster without authentication, with reasons'],
    ['coverage deploy/ --by hostname --require rate-limit', 'by hostname, with a further requirement'],
    ['coverage --git origin/main...HEAD deploy/ --fail-on uncovered', 'the requests that a pull request uncovers'],
  ],
  flags: ['by', 'concern', 'uncovered', 'require', 'accept', 'failOnUncovered', 'git', ...inputFlags, 'only'],
  input: 'own',
  formats: ['table', 'wide', 'json', 'yaml', 'csv', 'markdown', 'html'],
  load: () => import('./coverage.ts'),
};
