// `npm run check:clients`: what the tests of the clients leave to programs that a machine need not have. It checks the
// types of the Python client with mypy and pyright and those of the packed TypeScript client without Node.js, and runs
// the packed TypeScript client in Node.js, Deno and Bun against the built service. Deno, Bun and pyright are installed
// in a folder of their own, outside of the project. It reports a program that it cannot find, and does not fail for it.
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { build } from 'esbuild';
import { ServiceProcess } from '../test/support/service-process.ts';
import { found, installed, NotFound, run } from './check-clients/commands.ts';

const ROOT = join(import.meta.dirname, '..');
const PYTHON_CLIENT = join(ROOT, 'clients/python');
const VERSIONS = { deno: '2.9.6', bun: '1.4.5', pyright: '1.1.414' };

/** The library of browsers is what all runtimes have. */
const WITHOUT_NODE = {
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  types: [],
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  module: 'nodenext',
};

const folder = await mkdtemp(join(tmpdir(), 'jobgate-check-clients-'));
const consumer = join(folder, 'consumer');
const results = { passed: [] as string[], failed: [] as string[], notFound: [] as string[] };

async function check(what: string, runs: () => Promise<void>): Promise<void> {
  console.log(`\n== ${what}`);
  try {
    await runs();
    results.passed.push(what);
  } catch (error) {
    const list = error instanceof NotFound ? results.notFound : results.failed;
    list.push(`${what}: ${(error as Error).message}`);
  }
}

const python = (): Promise<string> =>
  found(['python3', '/usr/bin/python3'], ['-c', 'import httpx'], 'no python3 with httpx');

try {
  await check('Python client: mypy --strict', async () => {
    const mypy = await found(
      ['mypy', '/usr/bin/mypy'],
      ['--version'],
      'no mypy: install its package',
    );
    const options = ['--python-executable', await python(), '--cache-dir', join(folder, 'mypy')];
    await run(mypy, options, { cwd: PYTHON_CLIENT });
  });

  await check(`Python client: pyright ${VERSIONS.pyright}`, async () => {
    const environment = join(folder, 'python');
    await run(await python(), [
      '-m',
      'venv',
      '--system-site-packages',
      '--without-pip',
      environment,
    ]);
    const pyright = await installed(folder, 'pyright', VERSIONS.pyright);
    const env = {
      PATH: [join(environment, 'bin'), process.env['PATH']].join(delimiter),
      PYTHONPATH: 'src',
    };
    await run(pyright, ['src'], { cwd: PYTHON_CLIENT, env });
    // Every public name has a whole type.
    const complete = ['--verifytypes', 'jobgate', '--ignoreexternal'];
    await run(pyright, complete, { cwd: PYTHON_CLIENT, env });
  });

  await mkdir(consumer);
  await writeFile(join(consumer, 'package.json'), '{"private":true,"type":"module"}');
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  await run('npm', pack, { cwd: join(ROOT, 'clients/typescript') });
  const [packed = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  const quiet = ['--offline', '--no-audit', '--no-fund', '--silent'];
  await run('npm', ['install', ...quiet, join(folder, packed)], { cwd: consumer });
  const program = join(consumer, 'program.js');
  const source = join(ROOT, 'scripts/check-clients/program.ts');
  await build({ entryPoints: [source], outfile: program, target: 'node20' });

  await check('TypeScript client: tsc --strict, without types of Node.js', async () => {
    const files = ['node_modules/jobgate-client/dist/index.d.ts'];
    const project = { compilerOptions: WITHOUT_NODE, files };
    await writeFile(join(consumer, 'tsconfig.json'), JSON.stringify(project));
    await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', consumer]);
  });

  const service = await ServiceProcess.start({ STORE: 'memory' });
  try {
    const env = { JOBGATE_URL: service.url, JOBGATE_TOKEN: ServiceProcess.token, NO_COLOR: '1' };
    // What the client leaves behind may not hold a process, such as the 45 s that a stream may be silent for.
    const options = { cwd: consumer, env, timeout: 30_000 };
    await check(`TypeScript client: Node.js ${process.versions.node}`, () =>
      run(process.execPath, [program], options),
    );
    await check(`TypeScript client: Deno ${VERSIONS.deno}`, async () => {
      const deno = await installed(folder, 'deno', VERSIONS.deno);
      // The right to run is that to send a signal.
      const rights = ['--allow-net', '--allow-env', '--allow-run'];
      await run(deno, ['run', ...rights, program], options);
    });
    await check(`TypeScript client: Bun ${VERSIONS.bun}`, async () =>
      run(await installed(folder, 'bun', VERSIONS.bun), [program], options),
    );
  } finally {
    await service.kill();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

console.log('');
for (const line of results.passed) console.log(`Passed: ${line}`);
for (const line of results.notFound) console.log(`Not checked: ${line}`);
for (const line of results.failed) console.log(`Failed: ${line}`);
process.exitCode = results.failed.length === 0 ? 0 : 1;
