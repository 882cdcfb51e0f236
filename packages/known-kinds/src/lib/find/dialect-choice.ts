import { groupKindKey, type Issue } from '@policy-machinery/resource';
import { type Dialect, dialectNamed, dialects } from '../model/dialects.ts';

/** The dialects that were chosen for some kinds. */
export interface DialectChoice {
  /** Returns the dialect of a kind, by its key. */
  readonly of: (key: string) => Dialect | undefined;
  /** Returns the faults of the choices, given the keys of the kinds that were found. */
  readonly issues: (found: ReadonlySet<string>) => readonly Issue[];
}

/** Reads dialects by kind: `{ 'policies.example.com/RetryPolicy': 'gep713' }`. */
export function dialectsFor(chosen: Readonly<Record<string, string>>): DialectChoice {
  const choices = Object.entries(chosen).map(([name, dialect]) => ({ name, dialect, key: keyOf(name) }));
  const byKey = new Map(
    choices.flatMap(({ key, dialect }) => (key === undefined ? [] : [[key, dialectNamed(dialect)]])),
  );
  return {
    of: (key) => byKey.get(key),
    issues: (found) =>
      choices.flatMap(({ name, dialect, key }) => {
        const message = faultOf(name, dialect, key, found);
        return message === undefined ? [] : [{ code: 'invalid-dialect', severity: 'error', message } as const];
      }),
  };
}

function faultOf(
  name: string,
  dialect: string,
  key: string | undefined,
  found: ReadonlySet<string>,
): string | undefined {
  if (key === undefined) return `${name} is not a kind; write group/Kind=${dialect}`;
  if (dialectNamed(dialect) === undefined) {
    return `${name} has the dialect ${dialect}, which does not exist; take one of ${dialects.map((it) => it.name).join(', ')}`;
  }
  return found.has(key) ? undefined : `${name} is not a known policy kind; correct its group or kind`;
}

/** Returns the key of `group/Kind`, or of `Kind.group`. */
function keyOf(name: string): string | undefined {
  const slash = name.indexOf('/');
  if (slash > 0 && slash < name.length - 1) {
    return groupKindKey({ group: name.slice(0, slash), kind: name.slice(slash + 1) });
  }
  return slash < 0 && name.includes('.') ? name.toLowerCase() : undefined;
}
