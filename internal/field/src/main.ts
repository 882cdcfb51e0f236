import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkField } from './check-field.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = resolve(process.argv[2] ?? `${root}../shared/field-data`);
if (existsSync(folder)) {
  const { lines, faults } = await checkField(folder);
  for (const line of lines) console.log(line);
  for (const fault of faults) console.error(`FAULT: ${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} else {
  console.log(`SKIPPED: there is no ${folder}, so the tables are not checked against data of the field.`);
}
