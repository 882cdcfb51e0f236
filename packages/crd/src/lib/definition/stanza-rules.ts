import type { SpecShape } from '@policy-machinery/policy-kind';
import type { JsonObject } from '@policy-machinery/resource';
import type { Node } from '../structural/keywords.ts';
import { type CelRule, celName, isSeen } from './cel.ts';

const isSet = (field: string): string => `has(self.${celName(field)})`;

/** Returns the rules that keep stanzas apart. */
export interface Exclusions {
  readonly rules: readonly CelRule[];
  /** The same for fields that rules do not see, as schemas: all of them must hold. */
  readonly schemas: readonly JsonObject[];
}

/** Stanzas that exclude each other; `bare` stands for the fields of a bare spec. */
export function exclusions({ exclusive }: SpecShape, bare: Readonly<Record<string, Node>>): Exclusions {
  const names = Object.keys(bare);
  const [seen, unseen] = [true, false].map((is) => names.filter((name) => isSeen(name, bare[name] ?? {}) === is));
  const any = seen?.map(isSet).join(' || ') ?? '';
  const atTop = seen?.length === 1 ? any : `(${any})`;
  const rules = exclusive.flatMap((group): readonly CelRule[] => {
    const stanzas = group.filter((field) => field !== undefined);
    const isBare = group.length > stanzas.length;
    const terms = [...(isBare && any !== '' ? [atTop] : []), ...stanzas.map(isSet)];
    if (terms.length < 2) return [];
    const rule = terms.length === 2 ? `!(${terms.join(' && ')})` : `[${terms.join(', ')}].filter(it, it).size() <= 1`;
    const names = [...stanzas, ...(isBare ? ['fields beside them'] : [])].join(', ');
    return [{ rule, message: `set only one of these: ${names}` }];
  });
  const schemas = exclusive
    .filter((group) => group.includes(undefined))
    .flatMap((group) => group.filter((field) => field !== undefined))
    .flatMap((field) => (unseen ?? []).map((name) => ({ not: { required: [field, name] } })));
  return { rules, schemas };
}

/** Returns the rules that require one value for a field, such as a strategy, that is set both in a stanza and beside it. */
export function agreements({ stanzas, fields }: SpecShape): readonly CelRule[] {
  return stanzas.flatMap((stanza) =>
    Object.keys(stanza.fields).flatMap((name) => {
      const [outer, inner] = [stanza.field, name].map((field) => field && celName(field));
      if (!Object.hasOwn(fields, name) || outer === undefined || inner === undefined) return [];
      const unset = [`!has(self.${outer})`, `!has(self.${outer}.${inner})`, `!has(self.${inner})`];
      const rule = [...unset, `self.${outer}.${inner} == self.${inner}`].join(' || ');
      return [{ rule, message: `${name} must be the same in ${stanza.field} and beside it` }];
    }),
  );
}

/** Returns the rule that asks for at least one of some stanzas. */
export function atLeastOne({ oneOf }: SpecShape): readonly CelRule[] {
  if (oneOf.length === 0) return [];
  return [{ rule: oneOf.map(isSet).join(' || '), message: `set ${oneOf.join(' or ')}` }];
}
