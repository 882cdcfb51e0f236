export { type Lineage, lineage, lineageRef } from './lib/lineage.ts';
