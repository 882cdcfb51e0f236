import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { billOfMaterials, lockedHashes } from './bill-of-materials.ts';
import { licenceFaults } from './licences.ts';
import { writeRepository } from './repository.ts';
import { shippedBy } from './shipped.ts';
import { auditAnswer, vulnerabilitiesIn } from './vulnerabilities.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The commands, which return the faults. */
const commands: Readonly<Record<string, () => readonly string[]>> = {
  licences() {
    const shipped = shippedBy(root);
    console.log(`${shipped.length} packages of others are shipped.`);
    return licenceFaults(shipped);
  },
  vulnerabilities() {
    const result = vulnerabilitiesIn(shippedBy(root), auditAnswer(root));
    if ('found' in result) {
      console.log(`${result.found.length} known vulnerabilities in what is shipped.`);
      return result.found;
    }
    const notChecked = `NOT CHECKED: ${result.notChecked}, so whether there are known vulnerabilities is not known.`;
    if (process.env.REQUIRE_AUDIT === '1') return [notChecked];
    console.log(`${notChecked} With REQUIRE_AUDIT=1 this fails.`);
    return [];
  },
  sbom() {
    const file = `${root}sbom.cdx.json`;
    writeFileSync(file, `${JSON.stringify(billOfMaterials(root, shippedBy(root), lockedHashes(root)), null, 2)}\n`);
    console.log(`written to ${file}`);
    return [];
  },
  repository() {
    writeRepository(root);
    return [];
  },
};

const [name = ''] = process.argv.slice(2);
const faults = commands[name]?.() ?? [`"${name}" is not one of ${Object.keys(commands).join(', ')}`];
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
