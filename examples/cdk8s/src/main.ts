import { colorsFor } from '@policy-machinery/text';
import { report } from './report.ts';
import { shop } from './shop.ts';

const app = shop();
if (process.argv.includes('--yaml')) process.stdout.write(app.synthYaml());
else process.stdout.write(report(app, colorsFor(process.stdout, process.env)));
