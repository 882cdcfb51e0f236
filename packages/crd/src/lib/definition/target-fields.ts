import type { PolicyKind } from '@policy-machinery/policy-kind';
import { type JsonObject, objectIn } from '@policy-machinery/resource';
import { isSectionKind } from '@policy-machinery/topology';
import { type CelRule, celName, celText, withRules } from './cel.ts';
import { dnsLabel, dnsSubdomain, groupSchema, kindSchema, labelSelectorFields, nameSchema } from './common-schemas.ts';

/** The part of a spec's schema about targets. */
export interface TargetFields {
  readonly fields: Readonly<Record<string, JsonObject>>;
  /** Rules on the spec as a whole. */
  readonly rules: readonly CelRule[];
}

/**
 * Returns the fields where the policies of a kind name their targets, with the constraints of Gateway API.
 *
 * @param options `targetRef`: whether policies may write it instead of `targetRefs`.
 */
export function targetFieldsOf(
  kind: PolicyKind<unknown>,
  { targetRef = true }: { readonly targetRef?: boolean | undefined },
): TargetFields {
  const kinds = targetKindsOf(kind);
  const coreGroups = coreGroupsOf(kind, kinds);
  const reference = targetReference(kind, kinds, coreGroups);
  const orSelectors = kind.targetFields.includes('targetSelectors');
  const fieldSchemas: Readonly<Record<string, JsonObject>> = {
    targetRef: reference,
    targetRefs: withRules(
      {
        type: 'array',
        description: 'The targets of the policy, each once: either as a whole, or by sections.',
        ...(orSelectors ? {} : { minItems: 1 }),
        ...maxItems(kind.maxTargets),
        'x-kubernetes-list-type': 'atomic',
        items: reference,
      },
      distinct(reference, coreGroups),
    ),
    targetSelectors: targetSelectors(kind, kinds, coreGroups),
  };
  const names = kind.targetFields.filter((name) => targetRef || name !== 'targetRef');
  const fields = Object.fromEntries(
    Object.entries(fieldSchemas).flatMap(([name, schema]) => (names.includes(name) ? [[name, schema] as const] : [])),
  );
  return { fields, rules: presence(names, kind.extensionRefs === true) };
}

function maxItems(limit: number): JsonObject {
  return limit === Number.POSITIVE_INFINITY ? {} : { maxItems: limit };
}

interface TargetKindUse {
  readonly group: string;
  readonly kind: string;
  readonly isWhole: boolean;
  readonly hasSections: boolean;
}

/** Returns the kinds of target, with whether policies may name the whole object, a section, or both. */
function targetKindsOf({ targets }: PolicyKind<unknown>): readonly TargetKindUse[] {
  const uses = new Map<string, TargetKindUse>();
  for (const target of targets) {
    const { group, kind } = isSectionKind(target) ? target.of : target;
    const key = JSON.stringify([group, kind]);
    const { isWhole = false, hasSections = false } = uses.get(key) ?? {};
    const isSection = isSectionKind(target);
    uses.set(key, { group, kind, isWhole: isWhole || !isSection, hasSections: hasSections || isSection });
  }
  return [...uses.values()];
}

/** Returns the spellings of the core group in the references of a kind. */
function coreGroupsOf({ coreGroupSpellings }: PolicyKind<unknown>, kinds: readonly TargetKindUse[]): readonly string[] {
  return kinds.some(({ group }) => group === '') ? ['', ...coreGroupSpellings] : [''];
}

function targetReference(
  { scope, crossNamespace }: PolicyKind<unknown>,
  kinds: readonly TargetKindUse[],
  coreGroups: readonly string[],
): JsonObject {
  const namespace = { ...dnsLabel, description: 'Namespace of the target. Default: the namespace of the policy.' };
  return withRules(
    {
      type: 'object',
      description: 'The target of the policy.',
      required: ['group', 'kind', 'name'],
      properties: {
        group: {
          ...groupSchema,
          description: `API group of the target; ${coreGroups.map(celText).join(' or ')} for the core group.`,
        },
        kind: { ...kindSchema, description: 'Kind of the target.' },
        name: { ...nameSchema, description: 'Name of the target.' },
        ...(scope === 'Cluster' || crossNamespace !== 'refuse' ? { namespace } : {}),
        ...(kinds.some(({ hasSections }) => hasSections) ? { sectionName: sectionNameSchema } : {}),
      },
    },
    [
      { rule: isOneOf(kinds, coreGroups), message: `must be one of ${namesOf(kinds)}` },
      ...sectionRules(kinds, coreGroups),
    ],
  );
}

const sectionNameSchema = {
  ...dnsSubdomain,
  description: 'Only this section of the target: the name of a listener, rule or port.',
};

/** Returns the rules that allow or require a section for each kind. */
function sectionRules(
  kinds: readonly TargetKindUse[],
  coreGroups: readonly string[],
  group?: string,
): readonly CelRule[] {
  const bySection = kinds.filter(({ hasSections }) => hasSections);
  const whole = kinds.filter(({ isWhole }) => isWhole);
  return [
    { only: bySection, rule: '!has(self.sectionName)', message: 'sectionName may be set only for' },
    { only: whole, rule: 'has(self.sectionName)', message: 'sectionName must be set except for' },
  ].flatMap(({ only, rule, message }) => {
    if (bySection.length === 0 || only.length === kinds.length) return [];
    if (only.length === 0) return [{ rule, message: 'sectionName must be set' }];
    return [{ rule: `${rule} || ${isOneOf(only, coreGroups, group)}`, message: `${message} ${namesOf(only)}` }];
  });
}

function isOneOf(kinds: readonly TargetKindUse[], coreGroups: readonly string[], group = 'self.group'): string {
  const clauses = [...new Set(kinds.map((use) => use.group))].map((name) => {
    const names = kinds.flatMap((use) => (use.group === name ? [use.kind] : []));
    return `${isAnyOf(group, name === '' ? coreGroups : [name])} && self.kind in ${celTexts(names)}`;
  });
  return clauses.length === 1 ? (clauses[0] as string) : clauses.map((clause) => `(${clause})`).join(' || ');
}

function isAnyOf(value: string, texts: readonly string[]): string {
  return texts.length === 1 ? `${value} == ${celText(texts[0] as string)}` : `${value} in ${celTexts(texts)}`;
}

function celTexts(texts: readonly string[]): string {
  return `[${texts.map(celText).join(', ')}]`;
}

function namesOf(kinds: readonly TargetKindUse[]): string {
  return kinds.map(({ group, kind }) => (group === '' ? kind : `${kind}.${group}`)).join(', ');
}

/**
 * Returns the rules against a target that is named twice, or both as a whole and by section. Rules do not see the namespace
 * of the policy, so they do not notice that a target names it explicitly. The reader of targets does.
 */
function distinct({ properties }: JsonObject, coreGroups: readonly string[]): readonly CelRule[] {
  const fields = Object.keys(objectIn(properties)).flatMap((name) => celName(name) ?? []);
  const isOptional = (name: string) => !['group', 'kind', 'name'].includes(name);
  const same = (name: string): string => {
    if (isOptional(name)) return `(has(a.${name}) ? a.${name} : "") == (has(b.${name}) ? b.${name} : "")`;
    const isEqual = `a.${name} == b.${name}`;
    if (name !== 'group' || coreGroups.length === 1) return isEqual;
    return `(${isEqual} || ${isAnyOf('a.group', coreGroups)} && ${isAnyOf('b.group', coreGroups)})`;
  };
  const identity = fields
    .filter((name) => name !== 'sectionName')
    .map(same)
    .join(' && ');
  const unique = {
    rule: `self.all(a, self.exists_one(b, ${fields.map(same).join(' && ')}))`,
    message: 'each target may be listed only once',
  };
  const forms = {
    rule: `self.all(a, self.all(b, !(${identity}) || has(a.sectionName) == has(b.sectionName)))`,
    message: 'a target that is listed more than once needs a sectionName each time',
  };
  return fields.includes('sectionName') ? [unique, forms] : [unique];
}

/**
 * Returns the rules that ask for at least one target, unless policies need none, and for only one of the two forms.
 *
 * @param names The fields that name targets.
 */
function presence(names: readonly string[], isOptional: boolean): readonly CelRule[] {
  const [hasOne, hasMany, hasSelectors] = ['targetRef', 'targetRefs', 'targetSelectors'].map((name) =>
    names.includes(name),
  );
  const both = {
    rule: '!(has(self.targetRef) && has(self.targetRefs))',
    message: 'set only one of targetRef and targetRefs',
  };
  const oneForm = hasOne && hasMany ? [both] : [];
  if (isOptional || !hasMany) return oneForm;
  if (hasSelectors) {
    const listed = (field: string) => `has(self.${field}) && size(self.${field}) > 0`;
    const any = [...(hasOne ? ['has(self.targetRef)'] : []), listed('targetRefs'), listed('targetSelectors')];
    const message = 'at least one of targetRefs and targetSelectors must have an entry';
    return [...oneForm, { rule: any.join(' || '), message }];
  }
  if (!hasOne) return [{ rule: 'has(self.targetRefs)', message: 'targetRefs must be set' }];
  return [
    {
      rule: 'has(self.targetRef) != has(self.targetRefs)',
      message: 'exactly one of targetRef and targetRefs must be set',
    },
  ];
}

const selectedNamespaces = withRules(
  {
    type: 'object',
    description: 'The namespaces of the targets.',
    properties: {
      from: {
        type: 'string',
        enum: ['Same', 'All', 'Selector'],
        description: 'Default: Same, the namespace of the policy.',
      },
      selector: { type: 'object', description: 'Labels of Namespaces.', properties: labelSelectorFields },
    },
  },
  [{ rule: '!has(self.from) || self.from != "Selector" || has(self.selector)', message: 'selector must be set' }],
);

/** Targets by their labels: whole ones, or the section of one name of each. */
function targetSelectors(
  kind: PolicyKind<unknown>,
  kinds: readonly TargetKindUse[],
  coreGroups: readonly string[],
): JsonObject {
  const hasSections = kinds.some((use) => use.hasSections);
  const group = '(has(self.group) ? self.group : "gateway.networking.k8s.io")';
  return {
    type: 'array',
    description: 'The targets of the policy, by their labels.',
    ...maxItems(kind.maxSelectors),
    'x-kubernetes-list-type': 'atomic',
    items: withRules(
      {
        type: 'object',
        required: ['kind'],
        properties: {
          group: { ...groupSchema, description: 'API group of the targets. Default: gateway.networking.k8s.io.' },
          kind: { ...kindSchema, description: 'Kind of the targets.' },
          ...labelSelectorFields,
          namespaces: selectedNamespaces,
          ...(hasSections ? { sectionName: sectionNameSchema } : {}),
        },
      },
      [
        { rule: isOneOf(kinds, coreGroups, group), message: `must be one of ${namesOf(kinds)}` },
        ...sectionRules(kinds, coreGroups, group),
      ],
    ),
  };
}
