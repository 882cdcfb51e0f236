import { describe, expect, it } from 'vitest';
import { colorsFor } from './colors.ts';
import { formatEffectivePolicy } from './effective-policy.ts';
import { AccessPolicy, accessIn, policy, room, shelf, shopWith } from './shop.fixture.ts';

const policies = [
  policy('house', 'Room', { defaults: { price: 10, currency: 'EUR' } }),
  policy('sale', 'Shelf', { price: 7 }),
];

function printed(rooms: readonly string[], options: Parameters<typeof formatEffectivePolicy>[1] = {}): string {
  const effective = shopWith(...rooms.map(room), shelf(...rooms), ...policies);
  return [...effective].map((it) => formatEffectivePolicy(it, options)).join('\n');
}

describe('formatEffectivePolicy', () => {
  it('shows the target, the path, each field with its policy, and the losses', () => {
    expect(printed(['hall'])).toBe(
      [
        'Shelf shop/toys',
        '  through Room shop/hall',
        '    price     7    shop/sale   default on Shelf shop/toys',
        '              10   shop/house  lost: shop/sale is more specific (Patch defaults)',
        '    currency  EUR  shop/house  default on Room shop/hall',
      ].join('\n'),
    );
  });

  it('shows all policies that stay, by group, in order of precedence', () => {
    const { kind } = AccessPolicy;
    const policies = [
      policy('staff', 'Room', { groups: ['staff'] }, kind),
      policy('children', 'Shelf', { action: 'DENY', groups: ['children'], hours: 'late' }, kind),
      policy('closed', 'Shelf', {}, kind),
    ];
    const effective = accessIn(room('hall'), shelf('hall'), ...policies);
    expect([...effective].map((it) => formatEffectivePolicy(it, { stanzas: false })).join('\n')).toBe(
      [
        'Shelf shop/toys',
        '  through Room shop/hall',
        '    DENY.shop/children.groups  [children]  shop/children  on Shelf shop/toys',
        '    DENY.shop/children.hours   late        shop/children  on Shelf shop/toys',
        '    ALLOW.shop/staff.groups    [staff]     shop/staff     on Room shop/hall',
        '    ALLOW.shop/closed          {}          shop/closed    on Shelf shop/toys',
      ].join('\n'),
    );
  });

  it('shows the first paths, and counts the others', () => {
    const lines = printed(['attic', 'bay', 'cellar', 'den', 'entry'], { paths: 2 }).split('\n');
    expect(lines.slice(1, 4)).toEqual(['  through Room shop/attic', '      and Room shop/bay', '      and 3 more']);
  });

  it('indents every line', () => {
    for (const line of printed(['hall'], { indent: 3 }).split('\n')) expect(line).toMatch(/^ {3}/);
  });

  it('is the same text in colours', () => {
    const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
    const coloured = printed(['hall'], { colors: colorsFor({ isTTY: true }, {}) });
    expect(coloured).toMatch(escapes);
    expect(coloured.replaceAll(escapes, '')).toBe(printed(['hall']));
  });
});
