import { execFile } from 'node:child_process';

export interface CommandResult {
  readonly succeeded: boolean;
  /** What the command printed, errors included. */
  readonly output: string;
}

export type RunCommand = (command: string, args: readonly string[]) => Promise<CommandResult>;

/** No command of the tests takes longer than this, a package installation included. */
const TIMEOUT = 300_000;

/** Runs a command to its end. A command that is missing or fails is a result, never an exception. */
export const runCommand: RunCommand = (command, args) =>
  new Promise((resolve) => {
    execFile(command, args, { timeout: TIMEOUT }, (error, stdout, stderr) => {
      resolve({ succeeded: error === null, output: stdout + stderr });
    });
  });
