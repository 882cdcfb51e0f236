import { colorsFor } from '@policy-machinery/text';
import { mistakes } from './mistakes.ts';
import { report } from './report.ts';

process.stdout.write(report(await mistakes(), colorsFor(process.stdout, process.env)));
