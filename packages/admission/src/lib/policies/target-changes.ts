import type { PolicyKind } from '@policy-machinery/policy-kind';
import type { AdmissionRules, Validation } from './admission-policy.ts';
import { overrideFields } from './override-namespaces.ts';
import { namedTargets, requireTargetFields } from './targets.ts';

/** Returns rules that keep the targets of a policy. */
export function immutableTargets(kind: PolicyKind<unknown>): AdmissionRules {
  const isKept = requireTargetFields(kind).map((field) => {
    const [newField, oldField] = [`object.spec.${field}`, `oldObject.spec.${field}`];
    return `has(${newField}) == has(${oldField}) && (!has(${newField}) || ${newField} == ${oldField})`;
  });
  const message = 'the targets of a policy cannot change; create another policy for other targets, and delete this one';
  return {
    name: 'immutable-targets',
    operations: ['UPDATE'],
    validations: [{ expression: isKept.join(' && '), message, reason: 'Invalid' }],
  };
}

/** Returns rules that warn of changes with more effect than they seem to have. */
export function transitionWarnings(kind: PolicyKind<unknown>): AdmissionRules {
  return {
    name: 'transitions',
    operations: ['UPDATE'],
    variables: [
      { name: 'targets', expression: namedTargets(kind, 'object') },
      {
        name: 'dropped',
        expression: `(${namedTargets(kind, 'oldObject')}).filter(t, !variables.targets.exists(it, ${isSame}))`,
      },
    ],
    validations: [droppedTargets, ...newOverrides(kind)],
    actions: ['Warn', 'Audit'],
  };
}

const fields = ['group', 'kind', 'name'].map((field) => `it.${field} == t.${field}`);
const optional = ['namespace', 'sectionName'].map(
  (field) => `(has(it.${field}) ? it.${field} : "") == (has(t.${field}) ? t.${field} : "")`,
);
const isSame = [...fields, ...optional].join(' && ');

const droppedTargets: Validation = {
  expression: 'size(variables.dropped) == 0',
  message: 'this policy no longer has all of its former targets',
  messageExpression:
    '"this policy no longer targets " + variables.dropped.map(t, t.kind + " " + t.name + (has(t.sectionName) ? "#" + t.sectionName : "")).join(", ")',
};

/** Overrides that come in place of defaults take from policies that have prevailed until now. */
function newOverrides(kind: PolicyKind<unknown>): readonly Validation[] {
  const fields = overrideFields(kind);
  if (fields.length === 0) return [];
  const has = (policy: string) => fields.map((field) => `has(${policy}.spec.${field})`).join(' || ');
  return [
    {
      expression: `!(${has('object')}) || (${has('oldObject')})`,
      message: 'this policy has overrides now, which prevail over more specific policies',
    },
  ];
}
