import { customStrategy, type Recipe } from '@policy-machinery/merge';
import { bareSpec, definePolicyKind } from '@policy-machinery/policy-kind';
import { createTopology } from '@policy-machinery/topology';
import { lineage, lineageRef } from '@policy-machinery/topology/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { effectivePolicies } from '../effective-policies.ts';

const Rule = z.object({ name: z.string(), limit: z.number() }).partial();
const Access = z.object({ allow: z.array(z.string()), rules: z.array(Rule), max: z.number(), nested: z.object({ a: z.number(), b: z.number() }).partial() }).partial();
type Access = z.input<typeof Access>;
const recipes: Record<string, Recipe<Access>> = {
  intersect(draft, { allow = [] }) { draft.allow = (draft.allow ?? []).filter((it) => allow.includes(it)); },
  unite(draft, { allow = [] }) { draft.allow = [...new Set([...(draft.allow ?? []), ...allow])]; },
  uniteMutating(draft, { allow = [] }) { draft.allow ??= []; for (const it of allow) if (!draft.allow.includes(it)) draft.allow.push(it); },
  byName(draft, { rules = [] }) { const own = draft.rules ?? []; draft.rules = [...own, ...rules.filter((it) => !own.some((o) => o.name === it.name))]; },
  byNameMin(draft, { rules = [] }) { const own = draft.rules ?? []; draft.rules = [...own.map((o) => { const e = rules.find((it) => it.name === o.name); return e ? { ...o, limit: Math.min(o.limit ?? 9, e.limit ?? 9) } : o; }), ...rules.filter((it) => !own.some((o) => o.name === it.name))]; },
  min(draft, { max = 9 }) { draft.max = Math.min(draft.max ?? 9, max); },
  forbid(draft, { allow = [] }) { draft.allow = (draft.allow ?? []).filter((it) => !allow.includes(it)); },
  establishedWins(draft, established) { Object.assign(draft, established); },
};
function mergedBy(recipe: Recipe<Access>, gateway: Access | undefined, route: Access | undefined) {
  const { kinds, kind, resources } = lineage('g1 > r1');
  const s = customStrategy<Access>({ defaults: recipe });
  const P = definePolicyKind({ group: 'access.example.com', version: 'v1', kind: 'AccessPolicy', targets: [kind('g'), kind('r')], effectiveTargets: [kind('r')], spec: Access, stanzas: bareSpec({ strategies: { s } }) });
  const policy = (name: string, spec: object) => ({ apiVersion: 'access.example.com/v1', kind: 'AccessPolicy', metadata: { name, namespace: 'default', creationTimestamp: '2026-03-01T09:00:00Z' }, spec: { targetRef: lineageRef(name), ...spec } });
  const topology = createTopology({ targetKinds: kinds, policyKinds: [P] });
  topology.apply({ upsert: [...resources, ...(gateway ? [policy('g1', gateway)] : []), ...(route ? [policy('r1', route)] : [])] });
  const view = effectivePolicies(topology, P);
  const [effective] = view;
  const told = (name: string) => { const share = effective?.shares.find(({ policy: it }) => it.name === `default/${name}`); return { outcome: share?.outcome, losses: (share?.losses ?? []).map(({ pointer }) => pointer) }; };
  return { spec: effective?.spec, gateway: told('g1'), route: told('r1') };
}
const items = fc.subarray(['a', 'b', 'c']);
const rules = fc.uniqueArray(fc.record({ name: fc.constantFrom('x', 'y'), limit: fc.integer({ min: 1, max: 3 }) }), { selector: (it) => it.name, maxLength: 2 });
const spec = fc.record({ allow: items, rules, max: fc.integer({ min: 1, max: 3 }) }, { requiredKeys: [] });
const same = (a: unknown, b: unknown) => JSON.stringify(sort(a)) === JSON.stringify(sort(b));
const sort = (v: unknown): unknown => Array.isArray(v) ? v.map(sort) : v && typeof v === 'object' ? Object.fromEntries(Object.entries(v).sort().map(([k, x]) => [k, sort(x)])) : v;
describe('recipes', () => {
  it.each(Object.keys(recipes))('%s', (name) => {
    const recipe = recipes[name] as Recipe<Access>;
    const found = new Map<string, string>();
    fc.assert(fc.property(spec, spec, (g, r) => {
      const both = mergedBy(recipe, g, r);
      const withoutG = mergedBy(recipe, undefined, r).spec;
      const withoutR = mergedBy(recipe, g, undefined).spec;
      const gInfl = !same(both.spec, withoutG), rInfl = !same(both.spec, withoutR);
      const note = (k: string) => { if (!found.has(k)) found.set(k, JSON.stringify({ g, r, ...both })); };
      if (gInfl && both.gateway.outcome === 'overridden') note('gateway influences, told overridden');
      if (rInfl && both.route.outcome === 'overridden') note('route influences, told overridden');
      if (!gInfl && rInfl && both.gateway.outcome === 'enforced' && both.route.outcome === 'overridden') note('reverse g');
      if (!rInfl && gInfl && both.route.outcome === 'enforced' && both.gateway.outcome === 'overridden') note('reverse r');
      for (const [who, own, t] of [['g', g, both.gateway], ['r', r, both.route]] as const) {
        const lost = (own.allow ?? []).some((it) => !(both.spec as Access)?.allow?.includes(it)) || (own.max !== undefined && (both.spec as Access)?.max !== own.max) || (own.rules ?? []).some((it) => !((both.spec as Access)?.rules ?? []).some((o) => same(o, it)));
        if (lost && t.outcome === 'enforced') note(`${who} lost something, told enforced`);
        if (!lost && t.losses.length > 0 && t.outcome !== 'overridden') note(`${who} lost nothing, losses`);
      }
    }), { numRuns: 300 });
    console.log('RECIPE', name, [...found]);
  });
});
