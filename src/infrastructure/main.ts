#!/usr/bin/env node
import { ProcessSignals } from './lifecycle/process-signals.ts';

// Before the rest is loaded: whoever starts a process may want it to stop at any moment from then on.
const signals = new ProcessSignals();
const { runCommandLine } = await import('./command-line.ts');
runCommandLine(process.argv.slice(2), signals);
