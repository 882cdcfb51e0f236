import { effectivePolicies } from '@policy-machinery/effective-policy';
import { statusQueries } from '@policy-machinery/effective-policy/inner';
import { isJsonObject, type JsonObject, type KubernetesObject, objectsIn } from '@policy-machinery/resource';
import { type TargetNode, type Topology, toDot } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carryOut, cluster } from '../lib/cluster.fixture.ts';
import { impact } from '../lib/impact/impact.ts';
import { planStatus } from '../lib/plan/plan-status.ts';
import { reportPolicies } from '../lib/report/policy-report.ts';
import { runs } from './runs.fixture.ts';
import { changes, judgedWorlds, kinds, type World, worlds } from './worlds.fixture.ts';

const options = { controllerName: 'example.com/gateways', now: new Date('2026-01-02T03:04:05Z') };
const variants = fc.record({
  rendering: fc.constantFrom<('ancestors' | 'conditions')[]>('ancestors', 'conditions'),
  overflow: fc.constantFrom<('refuse-and-signal' | 'truncate-aggregated')[]>(
    'refuse-and-signal',
    'truncate-aggregated',
  ),
  rejectedProgrammed: fc.constantFrom<('omit' | 'false')[]>('omit', 'false'),
  unknownTarget: fc.constantFrom<('report' | 'ignore')[]>('report', 'ignore'),
  affected: fc.constantFrom<('targets' | 'all' | 'off')[]>('targets', 'all', 'all', 'off'),
  precondition: fc.constantFrom<('resourceVersion' | 'test' | 'none')[]>('resourceVersion', 'test', 'none'),
});
const ownTypes = ['Accepted', 'Programmed', 'ResolvedRefs', 'Aggregated', 'example.com/TimeoutPolicyAffected'];

function build({ rules, resources, verdicts = {} }: World) {
  const { topology } = cluster(kinds[rules], ...resources);
  return { topology, effective: viewOf({ rules, verdicts }, topology) };
}

function viewOf({ rules, verdicts = {} }: Pick<World, 'rules' | 'verdicts'>, topology: Topology) {
  return effectivePolicies(topology, kinds[rules], { verdict: ({ resource }) => verdicts[resource.metadata.name] });
}

/** Returns a spec as text, which does not depend on the order of fields. */
const textOf = (spec: unknown) => JSON.stringify(spec, Object.keys(spec as object).sort());

function resourcesOf(topology: Topology): readonly KubernetesObject[] {
  const objects = [...topology.targets].filter(({ section }) => section === undefined);
  return [...objects, ...topology.policies()].map(({ resource }) => resource);
}

function keptIn(resource: KubernetesObject, isPolicy: boolean): unknown {
  const status = isJsonObject(resource.status) ? resource.status : {};
  const ofOthers = (field: string) =>
    objectsIn(status[field]).filter(({ controllerName }) => controllerName !== options.controllerName);
  const types = isPolicy ? ownTypes : ownTypes.filter((type) => type.includes('/'));
  const conditions = (holder: JsonObject) =>
    objectsIn(holder.conditions).filter(({ type }) => !types.includes(String(type)));
  return {
    rest: status.phase,
    conditions: conditions(status),
    listeners: objectsIn(status.listeners).map((it) => ({ ...it, conditions: conditions(it) })),
    parents: ofOthers('parents'),
    ancestors: ofOthers('ancestors'),
  };
}

describe('planStatus, in random worlds', () => {
  it('plans nothing once its plan has been carried out', () => {
    fc.assert(
      fc.property(judgedWorlds, variants, (world, variant) => {
        const { topology, effective } = build(world);
        carryOut(topology, planStatus(effective, { ...options, ...variant }).writes);
        const later = { ...options, ...variant, now: new Date('2027-01-01T00:00:00Z') };
        expect(planStatus(viewOf(world, topology), later).writes).toEqual([]);
      }),
      { numRuns: runs(300) },
    );
  });

  it('plans one write at most for each object, never without effect, and never beyond the status', () => {
    fc.assert(
      fc.property(judgedWorlds, variants, (world, variant) => {
        const { topology, effective } = build(world);
        const before = new Map(resourcesOf(topology).map((it) => [it.metadata.name, JSON.parse(JSON.stringify(it))]));
        const { writes } = planStatus(effective, { ...options, ...variant });
        expect(new Set(writes.map(({ locator }) => locator)).size).toBe(writes.length);
        carryOut(topology, writes);
        for (const now of resourcesOf(topology)) {
          const was = before.get(now.metadata.name) as KubernetesObject;
          const isWritten = writes.some(({ ref }) => ref.name === now.metadata.name);
          const { resourceVersion: _, ...metadata } = now.metadata as KubernetesObject['metadata'] & {
            resourceVersion?: string;
          };
          expect(was).toMatchObject({ apiVersion: now.apiVersion, kind: now.kind, spec: now.spec, metadata });
          if (isWritten) expect(now.status).not.toEqual(was.status);
          else expect(now).toEqual(was);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it('leaves entries of other controllers unchanged and in place (S-14)', () => {
    fc.assert(
      fc.property(judgedWorlds, variants, (world, variant) => {
        const { topology, effective } = build(world);
        const policies = new Set(topology.policies().map(({ resource }) => resource.metadata.name));
        const kept = () =>
          resourcesOf(topology).map((it) => [it.metadata.name, keptIn(it, policies.has(it.metadata.name))]);
        const before = JSON.stringify(kept());
        carryOut(topology, planStatus(effective, { ...options, ...variant }).writes);
        expect(JSON.stringify(kept())).toBe(before);
      }),
      { numRuns: runs(200) },
    );
  });

  it('neither changes nor freezes its input', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const before = JSON.stringify(world.resources);
        planStatus(build(world).effective, options);
        expect(JSON.stringify(world.resources)).toBe(before);
        expect(world.resources.some(Object.isFrozen)).toBe(false);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('reportPolicies, in random worlds', () => {
  it('calls a policy enforced if every scope has all of its values, overridden if it is nowhere an origin (S-06)', () => {
    let [enforced, overridden, partly] = [0, 0, 0];
    fc.assert(
      fc.property(worlds, (world) => {
        const { effective } = build(world);
        for (const { policy: node, outcome } of reportPolicies(effective)) {
          const scopes = [...effective].filter(({ levels }) =>
            levels.some(({ policies }) => policies.some(({ locator }) => locator === node.locator)),
          );
          const isOrigin = scopes.map((scope) => {
            const fields = effective.policies
              .filter((it) => it.node === node)
              .flatMap(({ policy }) => policy?.layers.flatMap(({ spec }) => Object.keys(spec as object)) ?? []);
            const origins = fields.map((field) =>
              scope.originsOf(`/${field}`).some(({ policy }) => policy.locator === node.locator),
            );
            const layers = scope.layers.filter(({ policy }) => policy.locator === node.locator);
            const isInForce = fields.map((field, index) => {
              const [value, ...own] = [scope.spec, ...layers.map(({ spec }) => spec)].map((it) => it[field as 'idle']);
              return origins[index] || own.includes(value);
            });
            return { all: isInForce.every(Boolean), any: origins.some(Boolean) };
          });
          if (outcome === 'enforced') {
            enforced += 1;
            expect(isOrigin.every(({ all }) => all)).toBe(true);
            expect(scopes.length).toBeGreaterThan(0);
          }
          if (outcome === 'overridden' || outcome === 'conflicted') {
            overridden += 1;
            expect(isOrigin.some(({ any }) => any)).toBe(false);
          }
          if (outcome === 'partly-enforced') partly += 1;
        }
      }),
      { numRuns: 400 },
    );
    expect(Math.min(enforced, overridden, partly)).toBeGreaterThan(20);
  });
});

describe('reportPolicies, compared with the resources, in random worlds', () => {
  it('reports a conflict of a newer policy with an older one on its target under None, for anything above and below', () => {
    let conflicts = 0;
    fc.assert(
      fc.property(
        worlds.filter(({ rules }) => rules === 'none'),
        (world) => {
          const { topology, effective } = build(world);
          const alone = topology.policies().flatMap(({ resource, attachments: [first, ...others] }) => {
            const isValid = typeof (resource.spec as JsonObject).request !== 'string';
            return isValid && others.length === 0 && first?.target !== undefined
              ? [{ resource, target: first.target.locator }]
              : [];
          });
          const ageOf = ({ metadata }: KubernetesObject) => `${metadata.creationTimestamp} ${metadata.name}`;
          const reports = new Map(reportPolicies(effective).map((it) => [it.policy.resource, it.outcome]));
          for (const { resource, target } of alone) {
            const older = alone.some((it) => it.target === target && ageOf(it.resource) < ageOf(resource));
            if (!older) continue;
            conflicts += 1;
            expect(reports.get(resource)).toBe('conflicted');
          }
        },
      ),
      { numRuns: 200 },
    );
    expect(conflicts).toBeGreaterThan(0);
  });

  it('has policies in force and entries only for Gateways that exist', () => {
    let [inForce, nowhere] = [0, 0];
    fc.assert(
      fc.property(worlds, (world) => {
        const { topology, effective } = build(world);
        const gatewaysAbove = ({ ref, resource }: TargetNode): readonly string[] => {
          const parentRefs =
            ref.kind === 'Gateway' ? [{ name: ref.name }] : objectsIn((resource.spec as JsonObject).parentRefs);
          const names = parentRefs.map(({ name }) => String(name));
          return names.filter((name) => topology.get(`gateway.gateway.networking.k8s.io:shop/${name}`));
        };
        for (const { policy, outcome, ancestors } of reportPolicies(effective)) {
          const targets = policy.attachments.map(({ target }) => target);
          const [target] = targets;
          if (target === undefined || targets.length > 1 || outcome === 'invalid') continue;
          const above = gatewaysAbove(target);
          if (above.length === 0) {
            nowhere += 1;
            expect(['not-in-any-path', 'conflicted']).toContain(outcome);
          } else {
            inForce += 1;
            const named = new Set(ancestors.map(({ ancestorRef }) => ancestorRef.name));
            expect([...named]).toEqual([...new Set(above)].sort());
          }
        }
      }),
      { numRuns: 300 },
    );
    expect(Math.min(inForce, nowhere)).toBeGreaterThan(0);
  });
});

describe('EffectivePolicies.affected, in random worlds', () => {
  it('names on each target the policies at the target or above that set a field below, with the parents of the paths', () => {
    fc.assert(
      fc.property(judgedWorlds, (world) => {
        const { effective } = build(world);
        const expected = new Map<string, Set<string>>();
        const add = (on: TargetNode, policy: string, parent: TargetNode | undefined) => {
          const key = `${on.locator} by ${policy}`;
          const parents = expected.get(key) ?? new Set();
          expected.set(key, parents);
          if (parent !== undefined) parents.add(parent.locator);
        };
        for (const context of effective) {
          const setters = new Set(
            context.shares.flatMap(({ policy, contributes }) => (contributes ? [policy.name] : [])),
          );
          for (const path of context.paths()) {
            path.forEach((node, index) => {
              const parent = path.slice(0, index).findLast(({ object }) => object !== node.object);
              const above = new Set(path.slice(0, index + 1));
              const policies = context.levels.flatMap((level) => (above.has(level.target) ? level.policies : []));
              for (const { name } of policies) if (setters.has(name)) add(node, name, parent);
            });
          }
        }
        const actual = effective.affected.flatMap(({ target, policies }) =>
          policies.map(
            ({ policy, parents }) =>
              [`${target.locator} by ${policy.name}`, new Set([...parents].map(({ locator }) => locator))] as const,
          ),
        );
        expect(new Map(actual)).toEqual(expected);
      }),
      { numRuns: runs(300) },
    );
  });

  it('is found for the policies attached to a target without those above', () => {
    fc.assert(
      fc.property(judgedWorlds, (world) => {
        const { topology, effective } = build(world);
        for (const target of topology.targets) {
          const attached = new Set(topology.policiesAt(target, effective.kind).map(({ locator }) => locator));
          const { policies } = effective.affecting(target);
          const expected = policies.filter(({ policy }) => attached.has(policy.locator));
          expect(statusQueries(effective).affectingFrom(target).policies, target.locator).toEqual(expected);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it('equals the result of explain for each target', () => {
    fc.assert(
      fc.property(judgedWorlds, (world) => {
        const { topology, effective } = build(world);
        const explained = [...topology.targets].map((target) => [target, effective.explain(target).policies] as const);
        const affected = effective.affected.map(({ target, policies }) => [
          target,
          policies.map(({ policy }) => policy),
        ]);
        expect(explained.filter(([, policies]) => policies.length > 0)).toEqual(affected);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('impact, in random worlds', () => {
  const specs = ({ topology, effective }: ReturnType<typeof build>) =>
    new Map(
      [...topology.targets].map(({ locator }) => [
        locator,
        effective
          .of(locator)
          .map(({ spec }) => textOf(spec))
          .sort(),
      ]),
    );
  const reports = ({ effective }: Pick<ReturnType<typeof build>, 'effective'>) =>
    new Map(
      reportPolicies(effective).map(({ policy: { locator }, outcome, message, ancestors }) => [
        locator,
        { outcome, message, ancestors },
      ]),
    );

  it('is the difference of two full computations, and leaves the topology unchanged', () => {
    fc.assert(
      fc.property(changes, ({ world, next }) => {
        const [before, after] = [build(world), build(next)];
        const drawing = toDot(before.topology);
        const nextNames = new Set(next.resources.map(({ metadata }) => metadata.name));
        const remove = world.resources.filter(({ metadata }) => !nextNames.has(metadata.name));
        const { effective, outcomes } = impact(before.effective, { upsert: next.resources, remove });
        expect(toDot(before.topology)).toBe(drawing);

        const [old, young] = [specs(before), specs(after)];
        for (const target of new Set([...old.keys(), ...young.keys()])) {
          const ofTarget = effective.filter((it) => it.target === target);
          const gone = ofTarget.flatMap((it) => (it.before === undefined ? [] : [textOf(it.before.spec)]));
          const come = ofTarget.flatMap((it) => (it.after === undefined ? [] : [textOf(it.after.spec)]));
          const left = [...(old.get(target) ?? [])];
          for (const spec of gone) left.splice(left.indexOf(spec), left.includes(spec) ? 1 : 0);
          expect([...left, ...come].sort()).toEqual(young.get(target) ?? []);
          for (const change of ofTarget) expect(change.patch).not.toEqual([]);
        }

        const [was, is] = [reports(before), reports(after)];
        const expected = [...new Set([...was.keys(), ...is.keys()])]
          .filter((policy) => JSON.stringify(was.get(policy)) !== JSON.stringify(is.get(policy)))
          .sort();
        expect(outcomes.map(({ policy }) => policy)).toEqual(expected);
        for (const it of outcomes) {
          expect(it.before?.message).toBe(was.get(it.policy)?.message);
          expect(it.after?.message).toBe(is.get(it.policy)?.message);
        }
      }),
      { numRuns: runs(400) },
    );
  });
});
