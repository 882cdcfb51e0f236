import { colorsFor } from '@policy-machinery/text';
import { story } from './story.ts';

process.stdout.write(await story(colorsFor(process.stdout, process.env)));
