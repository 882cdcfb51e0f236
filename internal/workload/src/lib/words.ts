import type { Random } from './random.ts';

const words = [
  ...['account', 'admin', 'basket', 'billing', 'cart', 'catalog', 'checkout', 'events', 'feed', 'gallery', 'invoice'],
  ...['jobs', 'login', 'media', 'orders', 'payment', 'profile', 'quotes', 'reports', 'search', 'stock', 'tickets'],
];

/** Returns a word of everyday business, for names, paths and hosts. */
export function word(random: Random): string {
  return random.pick(words);
}
