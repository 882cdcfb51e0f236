import {
  type GroupKind,
  type Issue,
  isJsonObject,
  type JsonValue,
  type KubernetesObject,
  namespaceOf,
  specOf,
} from '@policy-machinery/resource';
import { type Fault, type FieldRules, fieldFaults, isSet } from './field-faults.ts';
import { fieldRules } from './patterns.ts';

/** The maximal number of entries in each list of a grant. */
const maxEntries = 16;

/** A kind of resource in a namespace that may refer. */
export interface ReferenceGrantFrom extends GroupKind {
  readonly namespace: string;
}

/** A kind of resource, or one resource, that may be referred to. */
export interface ReferenceGrantTo extends GroupKind {
  /** Default: all of the kind in the grant's namespace. */
  readonly name?: string;
}

/** A ReferenceGrant that has been checked: any of `from` may refer to any of `to`. */
export interface ReferenceGrant {
  /** Namespace of the grant, and of everything that it permits references to. */
  readonly namespace: string;
  readonly from: readonly ReferenceGrantFrom[];
  readonly to: readonly ReferenceGrantTo[];
}

/** The permissions and the faults of a ReferenceGrant. */
export interface ReferenceGrantReading {
  /** `undefined` if anything is wrong: such a grant permits nothing. */
  readonly grant: ReferenceGrant | undefined;
  /** Everything that the API server should have refused, with JSON Pointers from the root of the grant. */
  readonly issues: readonly Issue[];
}

const { group, kind, namespace, name } = fieldRules;
const fromRules = Object.entries({ group, kind, namespace: { ...namespace, required: true } });
const toRules = Object.entries({ group, kind, name: { ...name, required: false } });

/**
 * Reads a ReferenceGrant: `from` and `to` with 1 to 16 entries each, in Gateway API's patterns.
 *
 * @param resource The ReferenceGrant, of any version.
 * @returns The grant, and every issue found. Never throws.
 */
export function readReferenceGrant(resource: KubernetesObject): ReferenceGrantReading {
  const faults: Fault[] = [];
  const grant = {
    namespace: namespaceOf(resource),
    from: readEntries<ReferenceGrantFrom>(resource, 'from', fromRules, faults),
    to: readEntries<ReferenceGrantTo>(resource, 'to', toRules, faults),
  };
  const issues = faults.map((fault): Issue => ({ code: 'invalid-reference-grant', severity: 'error', ...fault }));
  return { grant: issues.length === 0 ? grant : undefined, issues };
}

function readEntries<Entry>(
  resource: KubernetesObject,
  field: 'from' | 'to',
  rules: FieldRules,
  faults: Fault[],
): readonly Entry[] {
  const list = specOf(resource)[field];
  const pointer = `/spec/${field}`;
  if (!Array.isArray(list) || list.length === 0 || list.length > maxEntries) {
    faults.push({ message: `${field} must be a list of 1 to ${maxEntries} entries`, pointer });
    return [];
  }
  const fields = rules.map(([name]) => name);
  return Array.from(list as readonly JsonValue[], (entry, index) => {
    if (!isJsonObject(entry)) {
      const message = `an entry must be an object with ${fields.join(', ')}`;
      faults.push({ message, pointer: `${pointer}/${index}` });
      return {} as Entry;
    }
    faults.push(...fieldFaults(entry, `${pointer}/${index}`, rules));
    return Object.fromEntries(fields.map((it) => [it, entry[it]]).filter(([, value]) => isSet(value))) as Entry;
  });
}
