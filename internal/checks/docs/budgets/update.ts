// Lowers the budgets of documents to the present counts.

import { readFileSync, writeFileSync } from 'node:fs';
import { type Budgets, lowered, readPages } from './budgets.ts';

const file = new URL('budgets.json', import.meta.url);
const budgets: Budgets = JSON.parse(readFileSync(file, 'utf8'));
writeFileSync(file, `${JSON.stringify(lowered(budgets, readPages()), null, 2)}\n`);
