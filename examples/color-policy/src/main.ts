import { colorsFor } from '@policy-machinery/text';
import { examples } from './examples.ts';
import { report } from './report.ts';

process.stdout.write(report(await examples(), colorsFor(process.stdout, process.env)));
