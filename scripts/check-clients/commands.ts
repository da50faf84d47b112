import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { runCommand } from '../../test/support/run-command.ts';

/** A check needs a program that this machine lacks. */
export class NotFound extends Error {}

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds that it may take. */
  readonly timeout?: number;
}

/** Runs a command that prints for itself. @throws Error when it ends in any other way than with 0. */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, env, timeout = 120_000 }: CommandOptions = {},
): Promise<void> {
  const child = spawn(command, args, {
    stdio: 'inherit',
    cwd,
    env: { ...process.env, ...env },
    timeout,
    killSignal: 'SIGKILL',
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${code ?? signal}`);
}

/** The first of these programs that ends with 0. @throws NotFound with what is missing. */
export async function found(
  programs: readonly string[],
  args: readonly string[],
  missing: string,
): Promise<string> {
  for (const program of programs) {
    const { succeeded } = await runCommand(program, args);
    if (succeeded) return program;
  }
  throw new NotFound(missing);
}

/** The program of a package of npm, which is installed into a folder of its own. @throws NotFound without it. */
export async function installed(folder: string, name: string, version: string): Promise<string> {
  const prefix = join(folder, name);
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--silent'];
  try {
    await run('npm', ['install', '--prefix', prefix, ...quiet, `${name}@${version}`]);
  } catch {
    throw new NotFound(`npm could not install ${name}@${version}`);
  }
  return join(prefix, 'node_modules/.bin', name);
}
