/** Random specs of policies: few fields, so that policies meet. */
import fc from 'fast-check';
import type { Rules } from './rules.fixture.ts';
import type { StrategyName } from './strategies.fixture.ts';

export type Body = Readonly<Record<string, unknown>>;

const name = fc.constantFrom('a', 'b', 'c');
const few = { noNullPrototype: true } as const;
const tags = fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 2 });

/** Mostly lists that can be merged by key; sometimes a key is there twice, or an item is not an object. */
const items = fc.oneof(
  { weight: 6, arbitrary: listOf((item) => item.name) },
  { weight: 2, arbitrary: listOf(({ name, zone }) => `${name} ${zone}`) },
  { weight: 1, arbitrary: fc.array(fc.oneof(itemWith(name), fc.constantFrom<unknown>(1, 'x')), { maxLength: 2 }) },
);

function itemWith(names: fc.Arbitrary<string>) {
  return fc.record(
    {
      name: names,
      zone: fc.constantFrom('east', 'west'),
      size: fc.constantFrom<unknown>(1, 2, null),
      tags,
      p: fc.dictionary(fc.constantFrom('q', 's'), fc.constantFrom<unknown>(1, 2, null), { ...few, maxKeys: 2 }),
    },
    { requiredKeys: ['name'] },
  );
}

function listOf(keyOf: (item: { name: string; zone?: string }) => string) {
  return fc.uniqueArray(itemWith(name), { selector: keyOf, maxLength: 3 });
}

const { object } = fc.letrec<{ field: unknown; object: Body }>((tie) => ({
  field: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: fc.constantFrom<unknown>(1, 2, 'red', false, ['x'], []) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 3, arbitrary: tie('object') },
  ),
  object: fc.dictionary(fc.constantFrom('p', 'q', 'r/s'), tie('field'), { maxKeys: 3, ...few }),
}));

const anything = fc.oneof({ weight: 4, arbitrary: object }, fc.constantFrom<unknown>(1, 'red', null, []));
const withParts = fc.record({ items, list: tags, q: fc.constantFrom(1, null) }, { requiredKeys: [] });

/** A spec proper. */
export const specProper: fc.Arbitrary<Body> = fc.record(
  {
    p: fc.oneof({ weight: 3, arbitrary: anything }, withParts),
    q: anything,
    'r/s': fc.constantFrom<unknown>(1, 2, null),
    constructor: fc.constantFrom<unknown>(1, 'red'),
    n: fc.constantFrom<unknown>(1, 2, 3, null),
    text: fc.constantFrom<unknown>('one', 'two', 2),
    list: fc.oneof({ weight: 4, arbitrary: tags }, fc.constantFrom<unknown>('x', null)),
    items,
  },
  { requiredKeys: [], ...few },
);

const path = fc.constantFrom('/p', '/q', '/p/q', '/q/p', '/r~1s', '/n', '/list', '/list/-', '/p/list/-', '/p/q/p');
const operation = fc.oneof(
  fc.record({
    op: fc.constantFrom('add', 'add', 'replace', 'test'),
    path,
    value: fc.constantFrom<unknown>(1, 2, {}, ['x']),
  }),
  fc.record({ op: fc.constant('remove'), path }),
  fc.record({ op: fc.constantFrom('move', 'copy'), from: path, path }),
);
const operations = fc.record({ operations: fc.array(operation, { maxLength: 4 }) });

const unset = fc.array(fc.constantFrom('p', 'q', 'n', 'p.q', 'q.p', 'list', 'p.items'), { minLength: 1, maxLength: 3 });
const condition = fc.constantFrom('p', 'q', 'n', 'list', 'fails', 'misses');

/** What stands in the spec of a policy beside its targets. */
export function bodyBy({ dialect, ...rules }: Rules): fc.Arbitrary<Body> {
  const selections = Object.entries(dialect.names);
  const unselected: [string | undefined, StrategyName] = [undefined, dialect.unselected];
  const selected = dialect.field === false ? [unselected] : [unselected, ...selections];
  const stanzaWith = (fields: readonly string[]): fc.Arbitrary<Body> =>
    fc.constantFrom(...selected).chain(([selection, strategy]) =>
      fc
        .tuple(
          strategy === 'jsonPatch' ? operations : specProper,
          rules.conditions === undefined ? fc.constant(undefined) : fc.option(condition, { freq: 2, nil: undefined }),
          fc.constantFrom(...fields),
        )
        .map(([proper, when, field]): Body => {
          return { ...proper, ...present({ [String(dialect.field)]: selection, [field]: when }) };
        }),
    );
  const stanza = stanzaWith(['when']);
  const override = stanzaWith(rules.resultConditions ? ['when', 'whenResult'] : ['when']);
  const defaults = fc.record({ defaults: stanza });
  const overrides = fc.record({ overrides: override });
  const both = fc.record({ defaults: stanza, overrides: override });
  const single: fc.Arbitrary<Body>[] = [stanza, defaults, overrides];
  // A selection beside two stanzas would be for both, and clash with theirs.
  const bare = specProper.map((proper) => proper);
  const all = fc.tuple(bare, both).map(([proper, stanzas]) => ({ ...proper, ...stanzas }));
  const bodies = {
    bare: [stanza],
    single,
    'defaults-and-overrides': [...single, both],
    all: [...single, both, all],
  } satisfies Record<typeof dialect.stanzas, readonly fc.Arbitrary<Body>[]>;
  const body = fc.oneof(...bodies[dialect.stanzas]);
  if (!rules.unset) return body;
  return fc
    .tuple(body, fc.option(unset, { freq: 2, nil: undefined }))
    .map(([proper, unset]) => ({ ...proper, ...present({ unset }) }));
}

/** Without what is undefined. */
export function present(fields: Body): Body {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
