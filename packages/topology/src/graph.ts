export type { EdgeAttributes, NodeAttributes } from './lib/elements.ts';
export { graphOf } from './lib/graph.ts';
