import { re2Languages } from '@policy-machinery/cel/languages';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { createFixtures } from '@policy-machinery/testing';
import { verifiedKind, verify } from '/work/wt-55/packages/guarantees/src/index.ts';
import { LimitPolicy, topologyOf } from '/work/wt-55/packages/guarantees/src/properties/clusters.fixture.ts';

const { gateway, httpRoute, policy } = createFixtures({ namespace: 'shop' });
const bits = (n: number, f: (b: number, i: number) => string, w = 12) => Array.from({ length: w }, (_, i) => f((n >> i) & 1, i)).join('');
const shapes: Record<string, (i: number) => string> = {
  classes: (i) => `/${bits(i, (b) => (b ? '[ab]' : '[cd]'))}`,
  folded: (i) => `(?i)/tenant-${i}/.*`,
  digits: (i) => `/[a-z]+/[0-9]{${1 + (i % 64)}}/[a-z]{${1 + Math.floor(i / 64)}}`,
  alternatives: (i) => `/(x${i}|y${i})/[a-z]+`,
  literal: (i) => `/t-${i}/[a-z]+`,
  overlap: (i) => `/${bits(i, (b) => (b ? '[ab]' : '[bc]'))}`,
  lengths: (i) => `/[a-z]{${1 + (i % 50)}}[0-9]{${1 + Math.floor(i / 50)}}.*`,
};
const name = process.argv[2]!;
const readings = (process.env.READINGS ?? 'whole,part').split(',') as any;
for (const n of process.argv.slice(3).map(Number)) {
  const edge = gateway('edge', { listeners: [{ name: 'http', protocol: 'HTTP', port: 80 }] });
  const routes = Array.from({ length: n }, (_, i) => httpRoute(`r${i}`, { parents: [edge], rules: [{ matches: [{ path: { type: 'RegularExpression', value: shapes[name]!(i) } }] }] }));
  const policies = routes.filter((_, i) => i % 10 !== 3).map((on, i) => policy(LimitPolicy, `p${i}`, { on, spec: { limit: 1 } }));
  const topology = topologyOf([edge, ...routes, ...policies]);
  const kinds = [verifiedKind(effectivePolicies(topology, LimitPolicy))];
  const start = process.cpuUsage();
  const [v] = verify({ topology, kinds, regularLanguages: re2Languages({ readings }), regularExpressionPaths: 'both' }, [{ name: 'g', holds: 'has(policies.LimitPolicy)' }]);
  const { user, system } = process.cpuUsage(start);
  console.log(name, n, ((user + system) / 1e6).toFixed(2), v!.answer, v!.counterexamples.length, v!.hiddenBy.length, Math.round(process.memoryUsage().rss / 1e6) + ' MB');
}
