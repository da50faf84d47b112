import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { PROGRAM_FOLDERS } from '../../scripts/program-folders.js';
import { TemporaryFolder } from '../support/embedded/temporary-folder.ts';
import { rounds } from '../support/lane.ts';
import { serviceBuild } from '../support/service-build.ts';
import manifest from '../../package.json' with { type: 'json' };

serviceBuild.need();

const ROOT = join(import.meta.dirname, '../..');

describe('npm', () => {
  let npm: ChildProcess | undefined;
  let folder: TemporaryFolder;

  beforeEach(() => {
    folder = new TemporaryFolder();
  });

  afterEach(() => {
    try {
      if (npm !== undefined) process.kill(-npm.pid!, 'SIGKILL');
    } catch {
      // The process is already gone.
    }
    folder.remove();
  });

  /** Runs a script until the output matches, sends the signal, and returns all output once it has ended. */
  async function ended(
    script: string,
    up: RegExp,
    end: (npm: ChildProcess) => void,
  ): Promise<string> {
    const started = spawn('npm', ['run', script], {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        ...{ STORE_PATH: folder.path, AUTH_TOKENS: 'secret', PORT: '0', DRAIN_TIME: '0' },
      },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    npm = started;
    const lines: string[] = [];
    // The output ends once no process that may write to it runs any more.
    for await (const line of createInterface(started.stdout)) {
      lines.push(line);
      if (up.test(line)) end(started);
    }
    if (started.exitCode === null && started.signalCode === null) await once(started, 'exit');
    return lines.join('\n');
  }

  const scripts = [
    ['start', /jobgate is listening/],
    ['demo', /REST interface/],
  ] as const;
  for (const [script, up] of scripts.slice(0, rounds(2, 1))) {
    it(`ends \`npm run ${script}\` with SIGTERM to npm alone`, async () => {
      const output = await ended(script, up, ({ pid }) => process.kill(pid!, 'SIGTERM'));
      expect(output).to.match(script === 'start' ? /"Stopped"/ : /Stopped\. .* keeps the jobs/);
    }).timeout(60_000);
  }

  it('treats a Ctrl-C that a terminal sends to npm and the service as one signal', async () => {
    const interrupt = ({ pid }: ChildProcess): void => {
      process.kill(-pid!, 'SIGINT');
    };
    const output = await ended('start', /jobgate is listening/, interrupt);
    expect(output).to.include('"Stopped"').and.not.to.include('Second signal');
  }).timeout(60_000);
});

describe('npm start', () => {
  let folder: TemporaryFolder;

  before(() => {
    folder = new TemporaryFolder();
    for (const name of [...PROGRAM_FOLDERS, 'clients/typescript/src', 'scripts', 'dist']) {
      mkdirSync(folder.in(name), { recursive: true });
    }
    for (const name of ['start.js', 'build-age.js', 'program-folders.js']) {
      copyFileSync(join(ROOT, 'scripts', name), folder.in(`scripts/${name}`));
    }
    writeFileSync(folder.in('package-lock.json'), '{}');
    writeFileSync(
      folder.in('build.js'),
      "require('fs').writeFileSync('dist/main.js', 'console.log(1)')",
    );
    const scripts = { build: 'node --input-type=commonjs < build.js' };
    writeFileSync(folder.in('package.json'), JSON.stringify({ type: 'module', scripts }));
    writeFileSync(folder.in('src/main.ts'), '');
    writeFileSync(folder.in('dist/main.js'), 'console.log(0)');
  });
  after(() => folder.remove());

  /** What the service prints that `npm start` runs when it was built so many seconds after its sources changed. */
  const started = (seconds: number): string => {
    const { mtimeMs } = statSync(folder.in('src/main.ts'));
    const built = mtimeMs / 1000 + seconds;
    utimesSync(folder.in('dist/main.js'), built, built);
    return execFileSync(process.execPath, ['scripts/start.js'], {
      cwd: folder.path,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  };

  it('runs the built service that is newer than its sources', () => {
    expect(started(60)).to.equal('0\n');
  });

  it('builds the service anew that is older than its sources', () => {
    expect(started(-60)).to.equal('1\n');
  });
});

describe('a Node.js that is too old', () => {
  for (const [version, supported] of [
    ['18.20.8', false],
    ['20.18.3', false],
    ['20.19.0', true],
    ['24.0.0', true],
  ] as const) {
    it(`${supported ? 'is not' : 'is'} ${version}: ${supported ? 'it starts' : 'one line and exit code 1'}`, async () => {
      const versions = `{ ...process.versions, node: '${version}' }`;
      const pretend = `Object.defineProperty(process, 'versions', { value: ${versions} });`;
      const parameters = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
      const [code, output] = await new Promise<[number, string]>((resolve) => {
        const program = [...parameters, 'dist/main.js', '--version'];
        execFile(process.execPath, program, { cwd: ROOT }, (error, out, err) => {
          resolve([Number(error?.code ?? 0), out + err]);
        });
      });
      expect([code, output]).to.deep.equal(
        supported ? [0, `${manifest.version}\n`] : [1, 'jobgate needs Node.js 20.19 or later\n'],
      );
    });
  }

  it('is decided by `engines`', () => {
    expect(manifest.engines.node).to.equal('>=20.19');
  });
});
