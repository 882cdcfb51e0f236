import { describe, expect, it } from 'vitest';
import { City, group, Museum } from '../museum.fixture.ts';
import { defineTargetKind } from './define-target-kind.ts';
import { describeTargetable, isSectionKind, targetableKey } from './target-kind.ts';

describe('defineTargetKind', () => {
  it('makes a namespaced kind without sections and references by default', () => {
    const kind = defineTargetKind({ group, kind: 'Theatre' });
    expect(kind).toMatchObject({ group, kind: 'Theatre', scope: 'Namespaced', sections: {} });
    expect([...kind.references({ apiVersion: 'v1', kind: 'Theatre', metadata: { name: 'x' } })]).toEqual([]);
    expect(City.scope).toBe('Cluster');
  });

  it('makes each sort of section a separate target', () => {
    const { wing, door } = Museum.sections;
    expect(wing).toMatchObject({ of: Museum, section: 'wing' });
    expect(door.nameOf(0, {})).toBe('1');
  });
});

describe('isSectionKind', () => {
  it('distinguishes sections from resources', () => {
    expect(isSectionKind(Museum.sections.wing)).toBe(true);
    expect(isSectionKind(Museum)).toBe(false);
  });
});

describe('describeTargetable', () => {
  it('names kinds and their sections', () => {
    expect(describeTargetable(Museum)).toBe('Museum');
    expect(describeTargetable(Museum.sections.wing)).toBe('Museum wing');
  });
});

describe('targetableKey', () => {
  it('is equal for equal kinds of target', () => {
    expect(targetableKey(Museum)).toBe('museum.culture.example.com');
    expect(targetableKey(Museum.sections.wing)).toBe('museum.culture.example.com#wing');
  });
});
