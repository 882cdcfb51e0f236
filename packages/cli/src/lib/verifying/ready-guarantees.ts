import {
  canariesAlike,
  everyRequestMeets,
  type Guarantee,
  gatewaysAlike,
  limitsAtMost,
  noPolicyWithoutEffect,
  noWildcardWithout,
  overridesPrevail,
  tlsOnListeners,
} from '@policy-machinery/guarantees';
import { suggestion } from '../model/closest.ts';
import { UsageError } from '../model/usage-error.ts';

interface ReadyGuarantee {
  readonly summary: string;
  /** The settings, each with an example; the command line must have them all. */
  readonly settings: Readonly<Record<string, string>>;
  readonly make: (setting: (name: string) => string) => Omit<Guarantee, 'name'>;
}

const kind = { kind: 'SecurityPolicy' };
const listIn = (text: string): readonly string[] => text.split(',');
const quoted = JSON.stringify;
const open = 'concerns.authentication == "uncovered"';

/** All guarantees that are available by name. */
export const readyGuarantees: Readonly<Record<string, ReadyGuarantee>> = {
  'answers-without-login': {
    summary: 'A path of a host answers all requests, without authentication.',
    settings: { hostname: 'shop.example.com', path: '/healthz' },
    make: (setting) => ({
      requests: { hostnames: [setting('hostname')], paths: [{ type: 'Exact', value: setting('path') }] },
      holds: `taken && ${open}`,
    }),
  },
  'canaries-alike': {
    summary: 'The same effective policy applies with and without the headers of a canary.',
    settings: { ...kind, headers: 'x-canary' },
    make: (setting) => canariesAlike({ kind: setting('kind'), headers: listIn(setting('headers')) }),
  },
  'every-request-meets': {
    summary: 'A policy of a kind applies to every request.',
    settings: kind,
    make: (setting) => everyRequestMeets({ kind: setting('kind') }),
  },
  'gateways-alike': {
    summary: 'Each request is taken at all of some Gateways, with the same effective policy.',
    settings: { ...kind, gateways: 'public,internal' },
    make: (setting) => gatewaysAlike({ kind: setting('kind'), gateways: { names: listIn(setting('gateways')) } }),
  },
  'host-of-namespace': {
    summary: 'One namespace serves a host.',
    settings: { hostname: 'pay.example.com', namespace: 'payments' },
    make: (setting) => ({
      requests: { hostnames: [setting('hostname')] },
      holds: `route.namespace == ${quoted(setting('namespace'))}`,
    }),
  },
  'limits-at-most': {
    summary: 'Every request has a limit of at most a number.',
    settings: { kind: 'ClientTrafficPolicy', field: 'http2.maxConcurrentStreams', most: '100' },
    make: (setting) =>
      limitsAtMost({ kind: setting('kind'), field: setting('field'), most: numberIn('most', setting('most')) }),
  },
  'methods-only': {
    summary: 'Requests to some hosts only have some methods.',
    settings: { hostname: '*.example.com', methods: 'GET,HEAD' },
    make: (setting) => ({
      requests: { hostnames: [setting('hostname')] },
      holds: `request.method in ${quoted(listIn(setting('methods')))}`,
    }),
  },
  'no-new-access': {
    summary: 'A change does not open requests that were refused or authenticated; for diff --guarantees.',
    settings: {},
    make: () => ({ holds: `!(${open}) || (before.taken && before.${open})`, mayBeEmpty: true }),
  },
  'no-policy-without-effect': {
    summary: 'Each policy sets a field for a request.',
    settings: {},
    make: () => noPolicyWithoutEffect(),
  },
  'no-shadowing': {
    summary: 'Routes of one namespace do not take requests from routes of another.',
    settings: {},
    make: () => ({ other: { shadowed: true }, holds: 'route.namespace == other.route.namespace' }),
  },
  'no-wildcard-without': {
    summary: 'Each wildcard hostname has a policy of a kind.',
    settings: kind,
    make: (setting) => noWildcardWithout({ kind: setting('kind') }),
  },
  'overrides-prevail': {
    summary: 'Overrides of one namespace never lose.',
    settings: { kind: 'AuthPolicy', namespace: 'infra' },
    make: (setting) => overridesPrevail({ kind: setting('kind'), namespace: setting('namespace') }),
  },
  'tls-on-listeners': {
    summary: 'Every request uses TLS, or is redirected to it.',
    settings: {},
    make: () => tlsOnListeners(),
  },
};

/**
 * Returns a guarantee by its name.
 *
 * @param name The name, such as `limits-at-most`.
 * @throws {UsageError} If the guarantee is unknown, or a setting is missing or unknown.
 */
export function readyGuarantee(name: string, settings: readonly string[]): Guarantee {
  const ready = readyGuarantees[name];
  if (ready === undefined)
    throw new UsageError(`no guarantee has the name ${name}; ${meant(name, Object.keys(readyGuarantees))}`);
  const names = Object.keys(ready.settings);
  const values = new Map(settings.map((text) => [text.split('=', 1)[0] ?? '', text.slice(text.indexOf('=') + 1)]));
  const [unknown] = [...values.keys()].filter((each) => !names.includes(each));
  const [missing] = names.filter((each) => !values.has(each));
  if (unknown !== undefined)
    throw new UsageError(`${name} does not have the setting ${unknown}; ${meant(unknown, names)}`);
  if (missing !== undefined) {
    throw new UsageError(`${name} needs the setting ${missing}, such as ${missing}=${ready.settings[missing]}`);
  }
  const { summary: description } = ready;
  return { description, ...ready.make((each) => values.get(each) ?? ''), name };
}

function meant(name: string, names: readonly string[]): string {
  return suggestion(name, names, names.length === 0 ? 'it does not have any' : `use ${names.join(', ')}`);
}

function numberIn(name: string, text: string): number {
  const number = Number(text);
  if (text === '' || !Number.isFinite(number)) throw new UsageError(`${name} must be a number, not ${quoted(text)}`);
  return number;
}
