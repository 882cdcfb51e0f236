import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { city, exhibition, museum, ticketPolicy, world } from '../museum.fixture.ts';
import { toDot } from './dot.ts';
import { toMermaid } from './mermaid.ts';

const resources = [
  city('paris'),
  museum('louvre', { city: 'paris', wings: [{ name: 'denon' }] }),
  exhibition('vinci', { shownIn: [{ name: 'louvre', wing: 'denon', namespace: 'default' }] }, 'abroad'),
  ticketPolicy('free', { name: 'louvre' }),
];
const odd = world(museum('a"b\\n<c>', { wings: [{ name: '`x`\ny;#1' }] }, '"; end'));

describe('toDot', () => {
  it('draws objects, sections and policies, namespace by namespace', () => {
    expect(toDot(world(...resources))).toMatchInlineSnapshot(`
      "digraph topology {
        rankdir=TB
        n0 [label="City\\nparis", shape=box, style=filled, fillcolor="#e5e9f0"]
        subgraph "cluster_abroad" {
          label="abroad"; style=dashed
          n1 [label="Exhibition\\nabroad/vinci", shape=box, style=filled, fillcolor="#e5e9f0"]
        }
        subgraph "cluster_default" {
          label="default"; style=dashed
          n2 [label="Museum\\ndefault/louvre", shape=box, style=filled, fillcolor="#e5e9f0"]
          n3 [label="Museum\\ndefault/louvre#denon", shape=box, style="filled,rounded", fillcolor="#f7f8fa"]
          n4 [label="TicketPolicy\\ndefault/free", shape=note, style=dashed]
        }
        n0 -> n2
        n2 -> n3 [style=dotted, arrowhead=none]
        n3 -> n1
        n4 -> n2 [style=dashed]
      }
      "
    `);
  });

  it('is the same for the same resources', () => {
    expect(toDot(world(...resources.toReversed()))).toBe(toDot(world(...resources)));
  });

  it('escapes names', () => {
    expect(toDot(odd)).toMatchInlineSnapshot(`
      "digraph topology {
        rankdir=TB
        subgraph "cluster_\\"; end" {
          label="\\"; end"; style=dashed
          n0 [label="Museum\\n\\"; end/a\\"b\\\\n<c>", shape=box, style=filled, fillcolor="#e5e9f0"]
          n1 [label="Museum\\n\\"; end/a\\"b\\\\n<c>#\`x\`\\\\u000ay;#1", shape=box, style="filled,rounded", fillcolor="#f7f8fa"]
        }
        n0 -> n1 [style=dotted, arrowhead=none]
      }
      "
    `);
  });

  it('draws nothing of an empty topology', () => {
    expect(toDot(world())).toBe('digraph topology {\n  rankdir=TB\n}\n');
  });
});

describe('toMermaid', () => {
  it('draws objects, sections and policies, namespace by namespace', () => {
    expect(toMermaid(world(...resources))).toMatchInlineSnapshot(`
      "graph TD
        n0["City<br/>paris"]
        subgraph ns1["abroad"]
          n1["Exhibition<br/>abroad/vinci"]
        end
        subgraph ns2["default"]
          n2["Museum<br/>default/louvre"]
          n3("Museum<br/>default/louvre#35;denon")
          n4>"TicketPolicy<br/>default/free"]
        end
        n0 --> n2
        n2 --- n3
        n3 --> n1
        n4 -.-> n2
      "
    `);
  });

  it('is the same for the same resources', () => {
    expect(toMermaid(world(...resources.toReversed()))).toBe(toMermaid(world(...resources)));
  });

  it('escapes names', () => {
    expect(toMermaid(odd)).toMatchInlineSnapshot(`
      "graph TD
        subgraph ns0["#34;#59; end"]
          n0["Museum<br/>#34;#59; end/a#34;b#92;n#60;c#62;"]
          n1("Museum<br/>#34;#59; end/a#34;b#92;n#60;c#62;#35;#96;x#96;#10;y#59;#35;1")
        end
        n0 --- n1
      "
    `);
  });
});

const hostile = fc.string({
  unit: fc.constantFrom(
    ...'\u0000\u0007\t\n\r\u001b\u007f\u009b\u200b\u202e\u2028\u2066\ufeff"\'\\`[](){}<>&;:%$#|/ abn-=',
  ),
});
/** Objects, sections, namespaces and policies of these names; a name that no resource may have is none. */
const worldOf = (name: string, section: string) => {
  const safe = name.replaceAll(/[/#]/g, '') || 'a';
  return world(museum(safe, { wings: [{ name: section }] }, `${safe}s`), {
    ...ticketPolicy(safe, { name: safe }),
    metadata: { name: safe, namespace: `${safe}s` },
  });
};
const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

describe('drawings of hostile names', () => {
  it('have in Mermaid the same number of lines as good names, and no syntax of Mermaid', () => {
    const lines = toMermaid(worldOf('a', 'b')).split('\n');
    fc.assert(
      fc.property(hostile, hostile, (name, section) => {
        const drawn = toMermaid(worldOf(name, section === '' ? 'b' : section));
        expect(drawn).not.toMatch(unseen);
        expect(drawn.split('\n')).toHaveLength(lines.length);
        for (const line of drawn.split('\n')) {
          expect(line).toMatch(
            /^(?:graph TD| *end| *n\d+ (?:-->|---|-\.->) n\d+| *(?:subgraph ns\d+|n\d+)(?:\["|\("|>")[^"`\\{}%$]*(?:"\]|"\))|)$/,
          );
          expect(line.replaceAll('<br/>', '').replaceAll(/#\d+;/g, '')).not.toMatch(/[<&;#]/);
        }
      }),
    );
  });

  it('have in DOT the same number of lines as good names, each with closed quotes', () => {
    const lines = toDot(worldOf('a', 'b')).split('\n');
    fc.assert(
      fc.property(hostile, hostile, (name, section) => {
        const drawn = toDot(worldOf(name, section === '' ? 'b' : section));
        expect(drawn).not.toMatch(unseen);
        expect(drawn.split('\n')).toHaveLength(lines.length);
        const unquoted = drawn.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').split('\n');
        expect(unquoted).toEqual(
          toDot(worldOf('a', 'b'))
            .replaceAll(/"[^"]*"/g, '""')
            .split('\n'),
        );
      }),
    );
  });
});
