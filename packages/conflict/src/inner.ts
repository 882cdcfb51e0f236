export { isWeight } from './lib/conflict-order.ts';
