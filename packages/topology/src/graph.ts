export type { EdgeAttributes, NodeAttributes } from './lib/drawing/elements.ts';
export { graphOf } from './lib/drawing/graph.ts';
