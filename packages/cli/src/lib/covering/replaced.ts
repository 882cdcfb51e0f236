import type { Author } from '@policy-machinery/guarantees/coverage';
import { concerns } from '@policy-machinery/known-kinds/concerns';
import type { ConcernName } from '@policy-machinery/policy-kind';
import { formatTarget } from '@policy-machinery/topology';
import type { Finding } from '../model/answer.ts';
import { firstOf } from '../model/first-of.ts';
import type { World } from '../model/world.ts';
import { type AssessedRow, type Assessment, assess, cellIn } from './assess.ts';
import { remedyOf, replacedText } from './remedies.ts';
import { worldCoverage } from './world-coverage.ts';

/** The code of findings about policies that replace the protection of others. */
export const replacedProtectionCode = 'replaced-protection';

/** The concerns that protect requests. CORS is a permission, and the effect of custom code is not known. */
export const protections: readonly ConcernName[] = concerns.flatMap(({ name, isSecurity }) =>
  isSecurity && name !== 'cors' && name !== 'custom' ? [name] : [],
);

/** The concerns that are wrong to lose, whether anything requires them or not. */
const access: ReadonlySet<ConcernName> = new Set(['authentication', 'authorization']);

/** Requests that lose a concern to the same policy. */
interface Replaced {
  readonly concern: ConcernName;
  readonly to: Author;
  readonly rows: AssessedRow[];
}

/** Returns the coverage of a world by its required concerns, with the exceptions that annotations accept. */
export function assessedWorld(world: World, rows = worldCoverage(world)): Assessment {
  return assess(rows, { required: [], accepted: [], scope: world.scope });
}

/**
 * Returns a finding for each policy that replaces the protection of another policy and does not protect requests itself: an error for authentication,
 * authorization and required concerns, and a note for other protections.
 */
export function replacedProtection(world: World): readonly Finding[] {
  return replacedIn(assessedWorld(world).rows);
}

/** Returns the findings of {@link replacedProtection} about some requests. */
export function replacedIn(rows: readonly AssessedRow[]): readonly Finding[] {
  const found = new Map<string, Replaced>();
  for (const row of rows) {
    for (const concern of protections) {
      const { state, by, to } = cellIn(row, concern);
      if (state !== 'lost' || by === undefined || to === undefined || row.statuses.get(concern) === 'accepted')
        continue;
      const key = [to.locator, concern, by.target.locator].join(' ');
      const same = found.get(key);
      if (same === undefined) found.set(key, { concern, to, rows: [row] });
      else same.rows.push(row);
    }
  }
  return [...found.values()].map(findingOf);
}

function findingOf({ concern, to, rows }: Replaced): Finding {
  const [first] = rows;
  const cell = first === undefined ? undefined : cellIn(first, concern);
  const rules = new Set(rows.map(({ row: { route, rule } }) => rule ?? route)).size;
  const routes = [...new Set(rows.map(({ row: { route } }) => formatTarget(route)))];
  const where = `${rules} ${rules === 1 ? 'rule' : 'rules'} of ${firstOf(routes)}`;
  const remedy = cell === undefined ? '' : remedyOf(cell, '');
  const isRequired = access.has(concern) || rows.some(({ required }) => required.has(concern));
  return {
    code: replacedProtectionCode,
    severity: isRequired ? 'error' : 'note',
    message: `${cell && replacedText(cell, concern)} for ${where}; ${remedy}`,
    resource: to.locator,
  };
}
