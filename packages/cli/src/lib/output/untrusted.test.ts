import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Answer } from '../model/answer.ts';
import type { FormatName } from '../model/formats.ts';
import { noColors } from '../run.fixture.ts';
import { render } from './render.ts';

/** Text that a tenant may write to break out of a format. */
const evil = '\u001b[2J|<script>`$x`\n::error::*a* "q" & \u202e\u0085%0A]]>';

const answer: Answer = {
  document: { kind: 'Evil', text: evil },
  sections: [
    {
      heading: evil,
      blocks: [
        { lines: [evil] },
        { table: { columns: [{ name: 'A' }], rows: [[evil]] } },
        { table: { layout: 'drawing', columns: [{ name: 'A' }], rows: [['```']] } },
      ],
    },
  ],
  names: [evil],
  findings: [
    {
      code: 'evil',
      severity: 'error',
      message: evil,
      resource: evil,
      position: { source: `${evil}.yaml`, line: 1, column: 1 },
    },
  ],
};

const style = { colors: noColors, hasHeaders: true, width: 80, isTerminal: false };
const rendered = (format: FormatName) => render(answer, format, style);
const controls = /(?!\n)[\p{Cc}\p{Cf}]/u;

describe('text of tenants', () => {
  it.each(['table', 'wide', 'json', 'name', 'sarif', 'github', 'junit', 'yaml', 'markdown'] as const)(
    'escapes control characters in %s',
    (format) => {
      expect(rendered(format)).not.toMatch(controls);
    },
  );

  it('stays the same text in JSON and SARIF', () => {
    expect(JSON.parse(rendered('json')).text).toBe(evil);
    expect(JSON.parse(rendered('sarif')).runs[0].results[0].message.text).toBe(evil);
  });

  it('does not begin another annotation of GitHub', () => {
    expect(rendered('github').trimEnd().split('\n')).toHaveLength(1);
  });

  it('is escaped in XML', () => {
    expect(rendered('junit')).not.toMatch(/<script|"q"|& /);
  });

  it('is escaped in Markdown, and stays in its cell', () => {
    const [, , , , , , row = ''] = rendered('markdown').split('\n');
    expect(rendered('markdown')).not.toContain('<script');
    expect(row.replaceAll('\\|', '').match(/\|/g)).toHaveLength(2);
    expect(rendered('markdown')).toContain('````text\n```\n````');
  });

  it('is well-formed XML, whatever characters it has', () => {
    const text = 'a\uffff\ufffe\u{1ffff}b';
    const xml = render({ ...answer, findings: [{ code: 'c', severity: 'error', message: text }] }, 'junit', style);
    expect(xml).not.toMatch(/[\uffff\ufffe]/);
    expect(xml).toContain('a\ufffd\ufffd');
  });

  const commands = ['::warning::x', '  ::error::x', '##[group]x', 'a\n::stop-commands::x'];

  it.each(['yaml', 'json', 'table', 'wide', 'name', 'markdown'] as const)(
    'is not a command of GitHub Actions at the beginning of a line in %s',
    (format) => {
      const spec = Object.fromEntries(commands.map((text) => [text, { [text]: [text, { [text]: text }] }]));
      const sections = [
        { heading: commands[0] ?? '', blocks: [{ lines: commands }] },
        { blocks: [{ table: { columns: [{ name: 'A' }], rows: commands.map((text) => [text]) } }] },
      ];
      const text = render({ document: { kind: 'Evil', spec }, sections, names: commands }, format, style);
      expect(text).not.toMatch(/^\s*(::|##\[)/m);
    },
  );

  it('stays the same value in YAML', () => {
    const spec = Object.fromEntries(commands.map((text) => [text, [text]]));
    expect(parse(render({ document: { kind: 'Evil', spec }, sections: [] }, 'yaml', style)).spec).toEqual(spec);
  });

  it('neither mentions people nor links in Markdown', () => {
    const sections = [
      { blocks: [{ lines: ['@owners of https://evil.example.com and www.evil.example.com, a@b.example'] }] },
    ];
    expect(render({ document: { kind: 'Evil' }, sections }, 'markdown', style)).not.toMatch(/@\w|:\/\/|www\./);
  });
});
