import type { Step } from './run.ts';
import { applying } from './script/applying.ts';
import { creating } from './script/creating.ts';
import { deleting } from './script/deleting.ts';
import { discovering } from './script/discovering.ts';
import { listing } from './script/listing.ts';
import { others } from './script/others.ts';
import { patching } from './script/patching.ts';
import { reading } from './script/reading.ts';
import { updating } from './script/updating.ts';
import { watching } from './script/watching.ts';

/** What is asked of both servers, in this order. */
export const script: readonly Step[] = Object.entries({
  ...creating,
  ...reading,
  ...updating,
  ...patching,
  ...applying,
  ...listing,
  ...watching,
  ...deleting,
  ...others,
  ...discovering,
}).map(([name, request]) => ({ name, request: typeof request === 'function' ? request : () => request }));
