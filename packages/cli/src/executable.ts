import { runAs } from './lib/called-as.ts';

// The main file of the single executable: a file of CommonJS, which cannot wait here.
void runAs(process.argv0);
