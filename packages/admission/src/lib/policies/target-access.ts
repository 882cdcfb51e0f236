import type { PolicyKind } from '@policy-machinery/policy-kind';
import { type AdmissionRules, cannotCheck, type Validation } from './admission-policy.ts';
import { namedTargets, type TargetObjects, targetObjectsOf } from './targets.ts';

/** The right that users need to attach a policy. */
export interface TargetAccess {
  /** The verb that the user must be allowed on the target. Default: `update`. */
  readonly verb?: string;
}

/**
 * The most questions to the authorizer that one policy can ask: each costs 350,000 of the 10,000,000 that the API server grants a policy, and of
 * the 1,000,000 that it grants an expression, which is why each has its own expression.
 */
const maxChecks = 28;

/** Returns rules that let users attach a policy only to targets that they may change. */
export function targetAccess(kind: PolicyKind<unknown>, { verb = 'update' }: TargetAccess): AdmissionRules {
  const objects = targetObjectsOf(kind);
  const bySelector = kind.targetFields.includes('targetSelectors') ? objects : [];
  if (kind.maxTargets + bySelector.length > maxChecks) {
    const most = maxChecks - bySelector.length;
    throw cannotCheck(kind, `the API server can check ${most} targets of a policy; set maxTargets to at most ${most}`);
  }
  return {
    name: 'target-access',
    operations: ['CREATE', 'UPDATE'],
    variables: [
      { name: 'targets', expression: namedTargets(kind, 'object') },
      ...(bySelector.length === 0 ? [] : [{ name: 'selectors', expression: selectors }]),
      { name: 'resources', expression: resourcesByKind(objects) },
    ],
    validations: [
      ...Array.from({ length: kind.maxTargets }, (_, index) => byName(index, objects, kind, verb)),
      ...bySelector.map((it) => bySelectors(it, verb)),
    ],
  };
}

const selectors = 'has(object.spec.targetSelectors) ? object.spec.targetSelectors : []';

/** Returns CEL for a map from `Kind.group`, as references spell it, to the name in URLs. Others are refused elsewhere. */
function resourcesByKind(objects: readonly TargetObjects[]): string {
  const entries = objects.flatMap(({ groups, kind, plural }) =>
    groups.map((group) => `${text(`${kind}.${group}`)}: ${text(plural)}`),
  );
  return `{${entries.join(', ')}}`;
}

function byName(
  index: number,
  objects: readonly TargetObjects[],
  { scope }: PolicyKind<unknown>,
  verb: string,
): Validation {
  const target = `variables.targets[${index}]`;
  const key = `${target}.kind + "." + ${target}.group`;
  const policyNamespace = scope === 'Cluster' ? '""' : 'request.namespace';
  const declared = `has(${target}.namespace) ? ${target}.namespace : ${policyNamespace}`;
  const isGlobal = oneOf(objects.filter((it) => it.scope === 'Cluster'));
  const namespace = isGlobal === '' ? declared : `${key} in ${isGlobal} ? "" : (${declared})`;
  const spellings = [...new Set(objects.flatMap(({ groups: [, ...others] }) => others))];
  const group =
    spellings.length === 0 ? `${target}.group` : `${target}.group in ${list(spellings)} ? "" : ${target}.group`;
  const question = `authorizer.group(${group}).resource(variables.resources[${key}]).namespace(${namespace})`;
  return {
    expression: `size(variables.targets) <= ${index} || !(${key} in variables.resources) || ${question}.name(${target}.name).check(${text(verb)}).allowed()`,
    message: `you may not ${verb} a target of this policy; name another target, or ask for the permission`,
    messageExpression: `"you may not ${verb} " + ${target}.kind + " " + ${target}.name + ", a target of this policy; name another target, or ask for the permission"`,
    reason: 'Forbidden',
  };
}

/** Returns the rule for selectors: who selects targets by labels must be allowed to change all objects of the kind, in the namespace or in all. */
function bySelectors({ groups, kind, plural, scope }: TargetObjects, verb: string): Validation {
  const [group] = groups;
  const isMeant = `s.kind == ${text(kind)} && (has(s.group) ? s.group : "gateway.networking.k8s.io") in ${list(groups)}`;
  const isWide = `variables.selectors.exists(s, ${isMeant} && has(s.namespaces) && has(s.namespaces.from) && s.namespaces.from != "Same")`;
  const namespace = scope === 'Cluster' ? '""' : `${isWide} ? "" : request.namespace`;
  const question = `authorizer.group(${text(group)}).resource(${text(plural)}).namespace(${namespace})`;
  return {
    expression: `!variables.selectors.exists(s, ${isMeant}) || ${question}.check(${text(verb)}).allowed()`,
    message: `you may not ${verb} all ${plural} among which this policy selects its targets; name the targets, or ask for the permission`,
    reason: 'Forbidden',
  };
}

function oneOf(objects: readonly TargetObjects[]): string {
  const keys = objects.flatMap(({ groups, kind }) => groups.map((group) => `${kind}.${group}`));
  return keys.length === 0 ? '' : list(keys);
}

function list(texts: readonly string[]): string {
  return `[${texts.map(text).join(', ')}]`;
}

/** Returns a text in CEL, which has the escapes of JSON. */
const text = (value: string): string => JSON.stringify(value);
