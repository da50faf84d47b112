import { runCommand } from '../../support/run-command.ts';

/** The memory that a process holds in RAM, in MB. */
export async function residentMemory(pid: number): Promise<number> {
  const { succeeded, output } = await runCommand('ps', ['-o', 'rss=', '-p', String(pid)]);
  return succeeded ? Math.round(Number(output.trim()) / 1024) : Number.NaN;
}
