export type { Author } from './lib/covering/author.ts';
export type { Cell, CellState, Cells } from './lib/covering/cell.ts';
export { type CoverageRow, coverage } from './lib/covering/coverage.ts';
export { type CoverageInput, type CoveringKind, type Facts, notByCustomCode } from './lib/covering/facts.ts';
export { isInsufficient, type Strength } from './lib/covering/strength.ts';
