import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { serviceBuild } from '../support/service-build.ts';
import { StartedProgram } from '../support/started-program.ts';
import manifest from '../../package.json' with { type: 'json' };

serviceBuild.need();

const ROOT = join(import.meta.dirname, '../..');

const execute = promisify(execFile);

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

interface BillOfMaterials {
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
  }[];
}

describe('the package', () => {
  let folder: string;
  let environment: NodeJS.ProcessEnv;
  let packed: Packed;
  let npx: ChildProcess | undefined;

  before(async function () {
    this.timeout(60_000);
    folder = await mkdtemp(join(tmpdir(), 'jobgate-package-'));
    environment = {
      PATH: process.env['PATH'],
      HOME: folder,
      npm_config_cache: join(folder, 'cache'),
    };
    // The parts that it is built from are there already, and other tests are running them.
    const pack = ['scripts/package.js', '--json', '--pack-destination', folder];
    const { stdout } = await execute(process.execPath, pack, { cwd: ROOT, env: environment });
    [packed] = JSON.parse(stdout) as [Packed];
    const install = ['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`];
    await execute('npm', install, { cwd: folder, env: environment });
  });
  afterEach(() => {
    if (npx?.exitCode === null) process.kill(-npx.pid!, 'SIGKILL');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const contents = (path: string): Promise<string> =>
    readFile(join(folder, 'node_modules/jobgate', path), 'utf8');

  it('contains what is built, with the licenses of its parts, and no sources', () => {
    const paths = packed.files.map(({ path }) => path);
    const pages = [
      'LICENSE',
      'README.md',
      'package.json',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'SKILL.md',
      'Dockerfile',
    ];
    expect(paths).to.include.members([...pages, 'dist/main.js', 'dist/LICENSES.txt']);
    for (const path of paths)
      expect(
        pages.includes(path) ||
          /^(dist|docs|examples|deploy|clients\/(conformance|python|typescript))\//.test(path),
        path,
      ).to.equal(true);
  });

  it('needs no other package', async () => {
    const installed = await readdir(join(folder, 'node_modules'));
    expect(installed.filter((name) => !name.startsWith('.'))).to.deep.equal(['jobgate']);
  });

  it('contains everything that its README links to', async () => {
    const paths = new Set(packed.files.map(({ path }) => path));
    const readme = await contents('README.md');
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)|src="([^"]+)"/g)];
    expect(links).to.have.length.above(20);
    for (const [, link, image] of links) expect(paths).to.include(link ?? image);
  });

  it('lists for scanners every package in the bundle, at the version that is installed here', async () => {
    const { components } = JSON.parse(await contents('dist/bom.cdx.json')) as BillOfMaterials;
    const bundled = new Set(components.map(({ name, version }) => `${name}@${version}`));
    for (const [name, version] of Object.entries(manifest.dependencies))
      expect(bundled).to.include(`${name}@${version}`);
    const texts = await contents('dist/LICENSES.txt');
    for (const { name, version, purl } of components) {
      expect(texts).to.include(`${name} ${version} (`);
      expect(purl).to.equal(`pkg:npm/${name.replace('@', '%40')}@${version}`);
    }
  });

  it('bundles exactly the packages in `dependencies`', async () => {
    const { components } = JSON.parse(await contents('dist/bom.cdx.json')) as BillOfMaterials;
    const bundled = new Set(components.map(({ name }) => name));
    expect([...bundled]).to.include.members(Object.keys(manifest.dependencies));
    for (const name of Object.keys(manifest.devDependencies))
      expect(bundled.has(name), name).to.equal(false);
  });

  it('has examples that find the client next to them', async () => {
    const example = join(folder, 'node_modules/jobgate/examples/nightly-report');
    await execute('npm', ['install', '--offline', '--no-audit', '--no-fund'], {
      cwd: example,
      env: environment,
    });
    const worker = await StartedProgram.start(
      process.execPath,
      [join(example, 'worker.js'), '--port', '0'],
      {},
    );
    expect(await worker.end()).to.equal(0);
  });

  it('prints its version', async () => {
    const program = join(folder, 'node_modules/.bin/jobgate');
    const { stdout } = await execute(program, ['--version'], { env: environment });
    expect(stdout).to.equal(`${manifest.version}\n`);
  });

  it('serves until it is stopped', async () => {
    const started = spawn('npx', ['--no-install', 'jobgate'], {
      cwd: folder,
      env: { ...environment, STORE: 'memory', PORT: '0', LOG_FORMAT: 'json', DRAIN_TIME: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    npx = started;
    const ended = once(started, 'close');
    const lines: string[] = [];
    for await (const line of createInterface(started.stdout)) {
      lines.push(line);
      // Sent to the whole group, as by a terminal: npx forwards no signals.
      if (line.includes('jobgate is listening')) process.kill(-started.pid!, 'SIGTERM');
    }
    await ended;
    expect(lines.join('\n')).to.include('jobgate is listening');
  });
});
