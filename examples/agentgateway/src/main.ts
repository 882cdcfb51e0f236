import { colorsFor } from '@policy-machinery/text';
import { cluster } from './cluster.ts';
import { report } from './report.ts';

process.stdout.write(report(await cluster(), colorsFor(process.stdout, process.env)));
