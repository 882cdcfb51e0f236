import { describe, expect, it } from 'vitest';
import type { Answer } from '../frame/answer.ts';
import type { FormatName } from '../frame/formats.ts';
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

const rendered = (format: FormatName) => render(answer, format, { colors: noColors, hasHeaders: true });
const controls = /(?!\n)[\p{Cc}\p{Cf}]/u;

describe('text of tenants', () => {
  it.each(['table', 'wide', 'json', 'name', 'sarif', 'github', 'junit', 'yaml', 'markdown'] as const)(
    'has no control characters in %s',
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

  it('is no markup in XML', () => {
    expect(rendered('junit')).not.toMatch(/<script|"q"|& /);
  });

  it('is no markup in Markdown, and stays in its cell', () => {
    const [, , , , , , row = ''] = rendered('markdown').split('\n');
    expect(rendered('markdown')).not.toContain('<script');
    expect(row.replaceAll('\\|', '').match(/\|/g)).toHaveLength(2);
    expect(rendered('markdown')).toContain('````text\n```\n````');
  });
});
