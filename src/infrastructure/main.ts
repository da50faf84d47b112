#!/usr/bin/env node
import { ProcessSignals } from './lifecycle/process-signals.ts';

const args = process.argv.slice(2);

// A command is for a service that runs elsewhere, and needs nothing of this one.
if (args[0]?.startsWith('-') === false) {
  const { runCommand } = await import('../command-line/run.ts');
  process.exitCode = await runCommand(args, process.env);
} else {
  // Before the rest is loaded: whoever starts a process may want it to stop at any moment from then on.
  const signals = new ProcessSignals();
  const { runCommandLine } = await import('./command-line.ts');
  await runCommandLine(args, signals);
}
