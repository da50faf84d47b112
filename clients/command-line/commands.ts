import { commandOf, type Command, type Declaration } from './command.ts';
import { addCommand } from './commands/add.ts';
import { applyCommand } from './commands/apply.ts';
import { auditCommand } from './commands/audit.ts';
import { changeCommand } from './commands/change.ts';
import { completionCommand } from './commands/completion.ts';
import { deduplicationCommands } from './commands/deduplication.ts';
import { eraseCommand } from './commands/erase.ts';
import { exportCommand } from './commands/export.ts';
import { failuresCommand } from './commands/failures.ts';
import { figuresCommand } from './commands/figures.ts';
import { flowCommands } from './commands/flows.ts';
import { groupCommands } from './commands/groups.ts';
import { hookCommands } from './commands/hooks.ts';
import { jobCommands } from './commands/jobs.ts';
import { limitCommands } from './commands/limits.ts';
import { listenCommand } from './commands/listen.ts';
import { loginCommands } from './commands/login.ts';
import { mcpCommand } from './commands/mcp.ts';
import { policyCommands } from './commands/policy.ts';
import { qstashDevCommand } from './commands/qstash-dev.ts';
import { queueCommands } from './commands/queues.ts';
import { redriveCommand } from './commands/redrive.ts';
import { repairCommands } from './commands/repair.ts';
import { schedulerCommands } from './commands/schedulers.ts';
import { secretsCommand } from './commands/secrets.ts';
import { sessionCommands } from './commands/sessions.ts';
import { signInCommand } from './commands/sign-in.ts';
import { stepCommands } from './commands/steps.ts';
import { storeCommands } from './commands/store.ts';
import { systemCommands } from './commands/system.ts';
import { tailCommand } from './commands/tail.ts';
import { tokenCommands } from './commands/tokens.ts';
import { topicCommands } from './commands/topics.ts';
import { waitCommand } from './commands/wait.ts';
import { workerCommands } from './commands/workers.ts';

/** All commands, in the order and under the headings of the help. */
const DECLARED: Readonly<Record<string, readonly Declaration[]>> = {
  Queues: [...queueCommands, figuresCommand, tailCommand],
  Jobs: [
    addCommand,
    changeCommand,
    waitCommand,
    ...jobCommands,
    ...stepCommands,
    ...deduplicationCommands,
  ],
  Repair: [failuresCommand, ...repairCommands, redriveCommand, eraseCommand],
  'Workers, schedulers, flows': [
    ...workerCommands,
    listenCommand,
    ...schedulerCommands,
    ...flowCommands,
  ],
  'Groups, policies, limits': [...groupCommands, ...policyCommands, ...limitCommands],
  Topics: topicCommands,
  Hooks: hookCommands,
  'Settings as files': [applyCommand, exportCommand],
  'Service and access': [
    ...systemCommands,
    ...storeCommands,
    ...tokenCommands,
    ...sessionCommands,
    signInCommand,
    secretsCommand,
    auditCommand,
  ],
  'This program': [...loginCommands, completionCommand, mcpCommand, qstashDevCommand],
};

export const commandsByTitle: readonly (readonly [title: string, commands: readonly Command[]])[] =
  Object.entries(DECLARED).map(([title, declared]) => [title, declared.map(commandOf)]);

export const commands: readonly Command[] = commandsByTitle.flatMap(([, group]) => group);
