#!/usr/bin/env node
import { keepCompiledCode } from './lifecycle/compiled-code.ts';
import { ProcessSignals } from './lifecycle/process-signals.ts';
import { unsupportedNode } from './lifecycle/supported-node.ts';
import { version } from './version.ts';

const [first, ...rest] = process.argv.slice(2);
const isHelp = first === '--help' || first === '-h';
const args = isHelp ? ['help', ...rest] : process.argv.slice(2);
const isServiceHelp = args[0] === 'help' && args[1] === 'service';
const isForService = args[0] === undefined || args[0].startsWith('-') || isServiceHelp;
const unsupported = unsupportedNode(process.versions.node);

// The rest is loaded later on purpose, since an older Node.js cannot load it.
if (unsupported !== undefined) {
  process.stderr.write(`${unsupported}\n`);
  process.exitCode = 1;
} else if (!isForService) {
  // A command talks to a service elsewhere, and needs nothing of this one but its ways with files and calls.
  const { runCommand } = await import('../../clients/command-line/run.ts');
  const { storesOfCommands } = await import('./stores-of-commands.ts');
  const { callsOfCommands } = await import('./calls-of-commands.ts');
  const { signInsOfCommands: signIns } = await import('./sign-ins-of-commands.ts');
  const { servicesOfCommands: services } = await import('./services-of-commands.ts');
  const without = { stores: storesOfCommands, calls: callsOfCommands, signIns, services };
  process.exitCode = await runCommand(args, process, version(), without);
} else {
  keepCompiledCode();
  // Listens before the rest is loaded, since a process may be stopped at any moment from its start.
  const signals = new ProcessSignals();
  const { runCommandLine } = await import('./command-line.ts');
  await runCommandLine(args, signals);
}
