import { bulkCommands } from './bulk-commands.ts';
import type { Command, Option } from './command.ts';
import { jobCommands } from './job-commands.ts';
import { queueCommands } from './queue-commands.ts';
import { secretsCommand } from './secrets-command.ts';
import { tailCommand } from './tail-command.ts';

export const commands: readonly Command[] = [
  ...queueCommands,
  tailCommand,
  ...jobCommands,
  ...bulkCommands,
  secretsCommand,
];

/** Options of every command. */
export const commonOptions: Readonly<Record<string, Option>> = {
  json: { meaning: 'print JSON for programs' },
  help: { meaning: 'print this' },
};
