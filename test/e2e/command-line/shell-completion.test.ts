import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { PROGRAM, runWith } from '../../support/command-line.ts';
import { installDebianPackage } from '../../support/debian-package.ts';
import { programOnPath } from '../../support/program-on-path.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { StartedServices } from '../../support/started-services.ts';

/** The text before the tab key, and the line after it. */
const COMPLETED = [
  ['jobgate sch', 'jobgate schedulers '],
  ['jobgate pause ma', 'jobgate pause mail '],
  ['jobgate queues --sort=wai', 'jobgate queues --sort=waiting '],
  ['jobgate jobs mail --state failed,comp', 'jobgate jobs mail --state failed,completed '],
  ['jobgate pause --url URL ma', 'jobgate pause --url URL mail '],
] as const;

describe('completion in shells', function () {
  this.timeout(120_000);
  const services = new StartedServices();
  let environment: Record<string, string>;
  let folder: string;

  before(async () => {
    const service = await services.start({ STORE: 'memory' });
    await service.call('POST', '/queues/mail/jobs', [{ name: 'a', data: 1 }]);
    folder = mkdtempSync(join(tmpdir(), 'jobgate-completion-'));
    symlinkSync(PROGRAM, join(folder, 'jobgate'));
    environment = {
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      TERM: 'dumb',
      JOBGATE_URL: service.url,
      JOBGATE_TOKEN: ServiceProcess.token,
    };
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { output } = await runWith({}, ['completion', shell]);
      writeFileSync(join(folder, shell === 'zsh' ? '_jobgate' : `jobgate.${shell}`), output);
    }
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await services.kill();
  });

  async function shellNamed(name: string): Promise<string> {
    const found = await programOnPath([name]);
    if (found === undefined) await installDebianPackage(name, name);
    return name;
  }

  /** Types lines into a shell at a terminal, and waits for their completions. */
  async function typedInto(shell: string, setUp: string): Promise<void> {
    const child = spawn('script', ['-qfc', shell, '/dev/null'], { env: environment, cwd: folder });
    let shown = '';
    const waiting = new Set<() => void>();
    child.stdout.on('data', (piece: Buffer) => {
      shown += piece.toString();
      for (const look of waiting) look();
    });
    const shows = (text: string): Promise<void> =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new Error(`${shell} shows ${JSON.stringify(shown)} and not ${text}`));
        }, 20_000);
        const look = (): void => {
          if (!shown.includes(text)) return;
          clearTimeout(timer);
          waiting.delete(look);
          shown = '';
          resolve();
        };
        waiting.add(look);
        look();
      });
    try {
      child.stdin.write(`${setUp}; PS1='rea''dy> '\n`);
      for (const [typed, completed] of COMPLETED) {
        await shows('ready> ');
        const [before, after] = [typed, completed].map((line) =>
          line.replace('URL', environment['JOBGATE_URL'] ?? ''),
        );
        child.stdin.write(`${before}\t`);
        await shows(after ?? '');
        child.stdin.write('\u0015\n');
      }
    } finally {
      child.kill('SIGKILL');
    }
  }

  // holds: command-line.completion
  it('completes lines in bash', () =>
    typedInto('bash --norc --noprofile -i', 'source ./jobgate.bash'));

  // holds: command-line.completion
  it('completes lines in zsh, from the folder of its functions', async () => {
    const load = 'fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D';
    await typedInto(`${await shellNamed('zsh')} -f -i`, load);
  });

  // holds: command-line.completion
  it('completes lines in fish', async () => {
    const fish = await shellNamed('fish');
    for (const [typed, completed] of COMPLETED) {
      const script = `source jobgate.fish; complete -C '${typed.replace('URL', environment['JOBGATE_URL'] ?? '')}'`;
      const options = { env: environment, cwd: folder };
      const { stdout } = await promisify(execFile)(fish, ['-c', script], options);
      expect(stdout.split('\n'), typed).to.include(completed.trim().split(' ').at(-1));
    }
  });
});
