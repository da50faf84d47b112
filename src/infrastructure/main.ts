#!/usr/bin/env node
import { ProcessSignals } from './lifecycle/process-signals.ts';
import { unsupportedNode } from './lifecycle/supported-node.ts';

const args = process.argv.slice(2);
const unsupported = unsupportedNode(process.versions.node);

// The rest is loaded later on purpose: an older Node.js cannot load it.
if (unsupported !== undefined) {
  process.stderr.write(`${unsupported}\n`);
  process.exitCode = 1;
} else if (args[0]?.startsWith('-') === false) {
  // A command is for a service that runs elsewhere, and needs nothing of this one.
  const { runCommand } = await import('../command-line/run.ts');
  process.exitCode = await runCommand(args, process.env);
} else {
  // Before the rest is loaded: a process may be stopped at any moment from its start.
  const signals = new ProcessSignals();
  const { runCommandLine } = await import('./command-line.ts');
  await runCommandLine(args, signals);
}
