// Lowers all budgets to the counts. With `--built`, also sizes, after `npm run build`. With `--raise REASON`, raises the others.

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { root } from '../files.ts';
import { lowered, raised } from './budgets.ts';
import { countAll } from './counts.ts';
import { countBytes } from './sizes.ts';
import { budgetsFile, readBudgets } from './versions.ts';

const { values } = parseArgs({ options: { built: { type: 'boolean' }, raise: { type: 'string' } } });
const counts = { ...countAll(), ...(values.built && { bytes: await countBytes() }) };
const budgets = lowered(readBudgets(), counts);
const { raise = '' } = values;
const next = raise.trim() === '' ? budgets : raised(budgets, counts, raise);
writeFileSync(root + budgetsFile, `${JSON.stringify(next, null, 2)}\n`);
