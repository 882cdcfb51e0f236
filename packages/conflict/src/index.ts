export { type Admission, admit } from './lib/admit.ts';
export {
  byAge,
  byLevel,
  byName,
  byWeight,
  type ComparedBy,
  type ConflictOrder,
  type ConflictRule,
  type Contender,
  conflictOrder,
  type Ranking,
} from './lib/conflict-order.ts';
export { type LevelLayer, mergeOrder, type OrderedLayer, type SameLevel } from './lib/same-level.ts';
