export { isWeight } from './lib/conflict-order.ts';
export { sameLevelOrder } from './lib/same-level.ts';
