import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { expect } from 'chai';
import { runCommand } from '../../clients/command-line/run.ts';
import { callsOfCommands } from '../../src/infrastructure/calls-of-commands.ts';
import { servicesOfCommands } from '../../src/infrastructure/services-of-commands.ts';
import { signInsOfCommands } from '../../src/infrastructure/sign-ins-of-commands.ts';
import { storesOfCommands } from '../../src/infrastructure/stores-of-commands.ts';
import { ServiceProcess } from './service-process.ts';

/** How a command ended. */
export interface Run {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

type Environment = Readonly<Record<string, string>>;

export const PROGRAM = join(import.meta.dirname, '../..', ServiceProcess.program);

/** No file of the user is read or written. */
const NOBODY = { XDG_CONFIG_HOME: '/nonexistent' };

/** Runs a command as a process, with nothing else in its environment. */
export function runProgram(environment: Environment, args: readonly string[]): Promise<Run> {
  const env = { PATH: process.env['PATH'], ...NOBODY, ...environment };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [PROGRAM, ...args], { env }, (error, out, err) => {
      resolve({ code: Number(error?.code ?? 0), output: out, errors: err });
    });
    child.stdin?.end();
  });
}

/** Runs a command within this process, which takes a tenth of the time. @param input what it reads. */
export async function runWith(
  environment: Environment,
  args: readonly string[],
  input = '',
): Promise<Run> {
  const [stdout, stderr] = [new Collected(), new Collected()];
  const env = { ...NOBODY, ...environment };
  const around = { env, stdin: Readable.from([input]), stdout, stderr };
  const without = {
    stores: storesOfCommands,
    calls: callsOfCommands,
    signIns: signInsOfCommands,
    services: servicesOfCommands,
  };
  const code = await runCommand(args, around, '1', without);
  return { code, output: stdout.text, errors: stderr.text };
}

/** Runs commands for a service. */
export function commandLine(url: () => string) {
  const run = (...args: string[]): Promise<Run> =>
    runWith({ JOBGATE_URL: url(), JOBGATE_TOKEN: ServiceProcess.token }, args);
  async function ok(...args: string[]): Promise<string> {
    const { code, output, errors } = await run(...args);
    expect(errors).to.equal('');
    expect(code).to.equal(0);
    return output;
  }
  const json = async (...args: string[]): Promise<Record<string, unknown>> =>
    JSON.parse(await ok(...args, '--json')) as Record<string, unknown>;
  return { run, ok, json };
}

class Collected extends Writable {
  text = '';

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
