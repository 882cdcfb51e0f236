import {
  Gateway,
  GRPCRoute,
  gatewayStatus,
  HTTPRoute,
  ListenerSet,
  listenerStatuses,
  routeStatuses,
  Secret,
  TCPRoute,
  TLSRoute,
  UDPRoute,
} from '@policy-machinery/gateway-api';
import type { Guarantee, Verdict } from '@policy-machinery/guarantees';
import { type JsonObject, type KubernetesObject, locatorOf, objectsIn } from '@policy-machinery/resource';
import { createTopology, type StatusCondition } from '@policy-machinery/topology';
import { findingsIn } from '../answers/issues.ts';
import { definitionAssumptions, viewsRead } from '../answers/unchecked.ts';
import { reachedStates } from '../answers/unreached.ts';
import { answer as answerToRequest } from '../commands/request.ts';
import { onlyDeclared } from '../input/world.ts';
import type { World } from '../model/world.ts';
import { noColors, now } from '../run.fixture.ts';
import { verifyWorld } from '../verifying/verify-world.ts';

/** The statements about a world. */
export interface Statements {
  readonly findings: ReadonlySet<string>;
  /** The outcomes of policies, by their locators. */
  readonly outcomes: ReadonlyMap<string, string>;
  /** The statuses of conditions of Gateways, listeners and routes, by their object and type. */
  readonly conditions: ReadonlyMap<string, string>;
  readonly answers: ReadonlyMap<string, Verdict['answer']>;
  /** Which rule takes a request, and the fields of effective policies that it meets on its paths, by URL and where it arrives; `undecided` if that is not known. */
  readonly requests: ReadonlyMap<string, string>;
}

/** Returns guarantees, named by their expressions. */
export function guaranteesOf(expressions: readonly string[]): readonly Guarantee[] {
  return expressions.map((holds) => ({ name: holds, holds }));
}

/** Returns the statements about a world: the findings, the outcomes of policies, the conditions, and the answers about guarantees. */
export function statementsIn(world: World, guarantees: readonly Guarantee[]): Statements {
  const verdicts = verifyWorld(onlyDeclared(world), { guarantees, locate: (issue) => issue });
  return {
    findings: new Set(findingsIn(world).map(({ code, resource, pointer }) => `${code} ${resource} ${pointer}`)),
    outcomes: new Map(
      reachedStates(world).map(({ policy, outcome, view }) => [
        policy.locator,
        isAssumed([view]) ? 'assumed' : outcome,
      ]),
    ),
    // Controllers never see variables.
    conditions: world.unrendered.signs.length === 0 ? conditionsIn(world) : new Map<string, string>(),
    answers: new Map(
      verdicts.map((verdict) => {
        const isOpen = verdict.answer === 'holds' && isAssumed(viewsRead(verdict, world));
        return [verdict.guarantee.name, isOpen ? 'undecided' : verdict.answer];
      }),
    ),
    requests: new Map(urls.flatMap((url) => requestsTo(url, world))),
  };
}

/** Returns whether statements about policies name the assumption that a release has their fields. */
function isAssumed(views: World['views']): boolean {
  return definitionAssumptions(views.filter(({ found }) => found.definedBy?.release !== undefined)).length > 0;
}

const urls = [
  ...['http://a.example/', 'http://a.example/x', 'https://a.example/x', 'http://x.example/x', 'https://x.example/'],
  ...['http://x.example:8080/x'],
];

/** Returns the answers about a request, by where it arrives. */
function requestsTo(url: string, world: World): readonly (readonly [string, string])[] {
  const request = { args: [url], options: {}, colors: noColors, now, programName: 'gwpolicy' };
  const { document } = answerToRequest(world, request);
  return objectsIn(document.answers).map(({ entry, port, takenBy, paths, undecided }) => {
    const met = objectsIn(paths).flatMap(({ effective }) => objectsIn(effective));
    const isOpen =
      document.notKnown !== undefined ||
      document.assumes !== undefined ||
      objectsIn(undecided).some(({ lostBy }) => lostBy === undefined) ||
      met.some(({ undecidedFields }) => undecidedFields !== undefined);
    const meets = new Set(objectsIn(paths).map(({ effective }) => objectsIn(effective).map(fieldsOf).join()));
    const answer = JSON.stringify([takenBy ?? 'nothing', [...meets].sort()]);
    return [`${url} at ${JSON.stringify(entry)} ${port}`, isOpen ? 'undecided' : answer] as const;
  });
}

/** Returns the fields of an effective policy with their authors, in order. */
function fieldsOf({ kind, fields }: JsonObject): string {
  const texts = objectsIn(fields).map(({ pointer, value, setBy }) => {
    return JSON.stringify([
      pointer,
      value,
      objectsIn(setBy)
        .map(({ policy }) => policy)
        .sort(),
    ]);
  });
  return JSON.stringify([kind, texts.sort()]);
}

/** Returns statements with the namespaces of objects that files do not name them for, and that are in the namespace `default` there. */
export function withNamespaces(statements: Statements, unnamed: readonly KubernetesObject[]): Statements {
  if (unnamed.length === 0) return statements;
  const named = (text: string): string =>
    unnamed.reduce((before, { metadata: { name, namespace } }) => {
      const ofLocators = before.replaceAll(new RegExp(`\\bdefault/${name}(?![\\w-])`, 'g'), `${namespace}/${name}`);
      return ofLocators.replaceAll(
        `"namespace":"default","name":"${name}"`,
        `"namespace":"${namespace}","name":"${name}"`,
      );
    }, text);
  const namedIn = <Value>(map: ReadonlyMap<string, Value>) =>
    new Map([...map].map(([of, value]) => [named(of), value]));
  return {
    ...statements,
    findings: new Set([...statements.findings].map(named)),
    outcomes: namedIn(statements.outcomes),
    conditions: namedIn(statements.conditions),
    requests: new Map([...statements.requests].map(([of, answer]) => [named(of), named(answer)])),
  };
}

/** Returns the conditions of Gateways, listeners and routes. */
function conditionsIn({ found, objects, isComplete }: World): ReadonlyMap<string, string> {
  const topology = createTopology({ targetKinds: [...found.targetKinds, Secret], isComplete });
  topology.apply({ upsert: objects });
  const all = new Map<string, string>();
  const add = (of: string, conditions: readonly StatusCondition[] = []) => {
    for (const { type, status } of conditions) all.set(`${of} ${type}`, status);
  };
  for (const object of objects) {
    if (!kindsWithStatuses.some(({ kind }) => kind === object.kind)) continue;
    const locator = locatorOf(object, 'Namespaced');
    add(locator, gatewayStatus(topology, locator)?.conditions);
    for (const { name, conditions } of listenerStatuses(topology, locator)) add(`${locator}#${name}`, conditions);
    for (const { parentRef, conditions } of routeStatuses(topology, locator)) {
      add(`${locator} ${JSON.stringify(parentRef)}`, conditions);
    }
  }
  return all;
}

const kindsWithStatuses = [Gateway, ListenerSet, HTTPRoute, GRPCRoute, TLSRoute, TCPRoute, UDPRoute];

/** The answer that nothing takes a request. */
const nothing = JSON.stringify(['nothing', []]);

/** The codes of findings that something is missing or refused. */
const negativeCodes = /^(missing-|nothing-selected|reference-not-permitted|unresolved-reference|refused-reference)/;

const withoutEffect: ReadonlySet<string | undefined> = new Set([
  ...['target-not-found', 'section-not-found', 'reference-not-permitted'],
  ...['not-in-any-path', 'overridden', 'conflicted', 'no-requests'],
]);
const inForce: ReadonlySet<string | undefined> = new Set(['enforced', 'partly-enforced']);

/** Returns the statements about a part of a world that the whole world contradicts. */
export function contradictions(part: Statements, whole: Statements): readonly string[] {
  const placeOf = (finding: string) => finding.slice(finding.indexOf(' '));
  const negative = new Set([...whole.findings].filter((it) => negativeCodes.test(it)).map(placeOf));
  const findings = [...part.findings].filter((it) => negativeCodes.test(it) && !negative.has(placeOf(it)));
  const outcomes = [...part.outcomes].filter(
    ([policy, outcome]) => withoutEffect.has(outcome) && inForce.has(whole.outcomes.get(policy)),
  );
  const conditions = [...part.conditions].filter(
    ([of, status]) => status === 'False' && whole.conditions.get(of) === 'True',
  );
  const answers = [...part.answers].filter(
    ([name, answer]) => answer === 'holds' && whole.answers.get(name) === 'broken',
  );
  const requests = [...part.requests].filter(
    ([url, answer]) => answer !== 'undecided' && ![answer, 'undecided'].includes(whole.requests.get(url) ?? nothing),
  );
  return [
    findings,
    requests.map(([url, answer]) => `${url}: ${answer}, and then ${whole.requests.get(url)}`),
    outcomes.map(([policy, outcome]) => `${outcome} ${policy}`),
    conditions.map(([of, status]) => `${of} ${status}`),
    answers.map(([name]) => `holds: ${name}`),
  ].flat();
}
