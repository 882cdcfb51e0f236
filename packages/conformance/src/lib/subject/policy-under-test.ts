// subject/: the policy kind under test. Takes the file that describes how policies of the kind are written, and returns manifests for checks.

import { isJsonObject, type JsonObject, PolicyMachineryError, stringIn } from '@policy-machinery/resource';
import { checkControllerName, pluralOf } from '@policy-machinery/resource/inner';
import { parse } from 'yaml';

/** The merge strategies of GEP-713, as a file names them. */
export const strategyNames = ['none', 'atomicDefaults', 'atomicOverrides', 'patchDefaults', 'patchOverrides'] as const;

/** The name of a merge strategy. */
export type StrategyName = (typeof strategyNames)[number];

/** How a policy selects a strategy. */
export interface StrategyForm {
  /** The field of the spec that holds the fields of the policy: `defaults`. Absent: the spec itself. */
  readonly stanza?: string;
  /** Fields in addition to the policy's own: `{ strategy: patch }`. */
  readonly with?: JsonObject;
}

/** The properties of an implementation of a policy kind that its checks need. */
export interface PolicyUnderTest {
  readonly policy: {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
    /** Its name in URLs. Default: the kind in lower case, with a plural ending. */
    readonly plural: string;
  };
  /** The name in the entries that the implementation writes into statuses. */
  readonly controllerName: string;
  /** The class of the Gateways that the checks create. */
  readonly gatewayClassName: string;
  /** The targets of policies of the kind: `Gateway`, `Gateway#listener`, `HTTPRoute`, `HTTPRoute#rule`, `Service`. */
  readonly targets: readonly string[];
  /** Where conditions are: `ancestors` (the default) or `conditions` of the status. */
  readonly rendering: 'ancestors' | 'conditions';
  /** Specs without targets. `one` and `two` differ in the same fields; `other` sets different ones. */
  readonly specs: { readonly one: JsonObject; readonly two: JsonObject; readonly other: JsonObject };
  readonly strategies: Readonly<Partial<Record<StrategyName, StrategyForm>>>;
  /** Whether policies may target other namespaces that have a ReferenceGrant. Default: they may not. */
  readonly referenceGrants: boolean;
  /** Whether the implementation marks affected objects with conditions. Default: it does. */
  readonly affectedConditions: boolean;
}

/**
 * Reads a PolicyUnderTest.
 *
 * @param text The file, as YAML or JSON.
 * @returns The content of the file, with all defaults.
 * @throws {PolicyMachineryError} `invalid-policy-under-test`, with the missing or invalid fields.
 * @example
 * ```ts
 * const subject = readPolicyUnderTest(readFileSync('policy-under-test.yaml', 'utf8'));
 * ```
 */
export function readPolicyUnderTest(text: string): PolicyUnderTest {
  const file: unknown = parse(text);
  if (!isJsonObject(file) || file.kind !== 'PolicyUnderTest') throw invalid('its kind must be PolicyUnderTest');
  const { specs, strategies } = file;
  const policy = objectAt(file.policy, 'policy');
  const kind = textAt(policy.kind, 'policy.kind');
  const controllerName = textAt(file.controllerName, 'controllerName');
  checkControllerName(controllerName);
  const targets = Array.isArray(file.targets) ? file.targets.map((target) => textAt(target, 'targets')) : [];
  if (targets.length === 0) throw invalid('targets must list at least one kind, such as Gateway');
  for (const target of targets) {
    if (!knownTargets.includes(target)) throw invalid(`"${target}" is not a target; take ${knownTargets.join(', ')}`);
  }
  const rendering = file.rendering ?? 'ancestors';
  if (rendering !== 'ancestors' && rendering !== 'conditions') {
    throw invalid('rendering must be ancestors or conditions');
  }
  const named = objectAt(specs, 'specs');
  const [one, two, other] = (['one', 'two', 'other'] as const).map((name) => objectAt(named[name], `specs.${name}`));
  if (one === undefined || two === undefined || other === undefined)
    throw invalid('specs must have one, two and other');
  return {
    policy: {
      group: textAt(policy.group, 'policy.group'),
      version: textAt(policy.version, 'policy.version'),
      kind,
      plural: stringIn(policy.plural) ?? pluralOf(kind),
    },
    controllerName,
    gatewayClassName: textAt(file.gatewayClassName, 'gatewayClassName'),
    targets,
    rendering,
    specs: { one, two, other },
    strategies: strategiesIn(objectAt(strategies, 'strategies')),
    referenceGrants: file.referenceGrants === true,
    affectedConditions: file.affectedConditions !== false,
  };
}

/** The targets of policies in checks. */
const knownTargets: readonly string[] = ['Gateway', 'Gateway#listener', 'HTTPRoute', 'HTTPRoute#rule', 'Service'];

function strategiesIn(strategies: JsonObject): PolicyUnderTest['strategies'] {
  const entries = Object.entries(strategies).map(([name, form]) => {
    if (!(strategyNames as readonly string[]).includes(name)) {
      throw invalid(`"${name}" is not a strategy; take ${strategyNames.join(', ')}`);
    }
    const { stanza, with: fields } = objectAt(form ?? {}, `strategies.${name}`);
    const read: StrategyForm = {
      ...(stanza === undefined ? {} : { stanza: textAt(stanza, `strategies.${name}.stanza`) }),
      ...(fields === undefined ? {} : { with: objectAt(fields, `strategies.${name}.with`) }),
    };
    return [name, read];
  });
  if (entries.length === 0) throw invalid(`strategies must have at least one of ${strategyNames.join(', ')}`);
  return Object.fromEntries(entries);
}

function objectAt(value: unknown, field: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw invalid(`${field} must be an object`);
}

function textAt(value: unknown, field: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw invalid(`${field} must be a text`);
}

function invalid(why: string): PolicyMachineryError {
  return new PolicyMachineryError('invalid-policy-under-test', `The PolicyUnderTest cannot be used: ${why}`);
}

/** Returns whether checks can use all of some targets. */
export function hasTargets({ targets }: PolicyUnderTest, ...wanted: readonly string[]): boolean {
  return wanted.every((target) => targets.includes(target));
}
