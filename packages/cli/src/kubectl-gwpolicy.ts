#!/usr/bin/env node
import { runProcess } from './lib/process.ts';

await runProcess('kubectl gwpolicy');
