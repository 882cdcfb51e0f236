import { celConditions } from '@policy-machinery/cel';
import { formatGroupKind, parsePointer } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { knownKinds } from '../known-kinds.ts';
import { concerns } from './concerns.ts';
import { concernsOf, kindConcerns } from './concerns-of.ts';

const fields = kindConcerns.flatMap((kind) =>
  kind.fields.map((field) => ({ name: `${formatGroupKind(kind)} ${field.concern} ${field.pointer}`, field })),
);

describe('the concerns of known kinds', () => {
  it('are known for each policy kind', () => {
    const unknown = knownKinds.filter((kind) => concernsOf(kind) === undefined);
    expect(unknown.map(formatGroupKind)).toEqual([]);
  });

  it('are declared once for each kind', () => {
    const names = kindConcerns.map(formatGroupKind);
    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
  });

  it('include each concern at least once', () => {
    const served = new Set(fields.map(({ field }) => field.concern));
    expect(concerns.filter(({ name }) => !served.has(name))).toEqual([]);
  });

  it('have conditions that compile, and that a spec without the fields does not fulfil by a fault', () => {
    const { compile } = celConditions();
    const faults = fields.flatMap(({ name, field: { inForce, weak = [], off = [] } }) =>
      [inForce, ...weak.map(({ when }) => when), ...off.map(({ when }) => when)].flatMap((condition) => {
        const result = condition === undefined ? { holds: false } : compile(condition)({});
        return 'error' in result && !result.missing ? [`${name}: ${result.error}`] : [];
      }),
    );
    expect(faults).toEqual([]);
  });

  it('have pointers from the root of the spec', () => {
    const pointers = fields.flatMap(({ field: { pointer, weak = [], off = [] } }) => [
      pointer,
      ...[...weak, ...off].map((it) => it.pointer),
    ]);
    for (const pointer of pointers) expect(parsePointer(pointer)[0]).not.toBe('spec');
  });

  it('are named by standard terms', () => {
    const titles = concerns.slice(0, 2).map(({ title }) => title);
    expect(titles).toEqual(['Authentication', 'Authorization']);
  });

  it('mark the fields with secrets', () => {
    const secrets = kindConcerns.flatMap(({ secrets = [] }) => secrets);
    expect(secrets.filter(({ isCertain }) => isCertain)).toHaveLength(12);
    expect(secrets).toHaveLength(59);
  });
});
