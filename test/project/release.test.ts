import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { NAMES } from '../../scripts/release/names.ts';
import { compatibilityPage } from '../../scripts/release/compatibility-row.ts';
import { ReleaseCheckout } from '../../scripts/release/release-checkout.ts';
import { minorOf } from '../../scripts/release/release-version.ts';
import { VERSION_PLACES } from '../../scripts/release/version-places.ts';
import { cleanClone, projectFiles } from '../support/clean-clone.ts';
import { text } from '../support/deployment-files.ts';
import { isSlowLane } from '../support/lane.ts';
import manifest from '../../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../..');
const VERSION = '98.7.6';

describe('a release', () => {
  let folder: string;
  let clone: string;
  let environment: NodeJS.ProcessEnv;

  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: clone, encoding: 'utf8' }).trim();
  const read = (path: string): string => readFileSync(join(clone, path), 'utf8');

  function release(...options: string[]): Promise<{ code: number; output: string }> {
    const args = ['--import', 'tsx', 'scripts/release.ts', VERSION, ...options];
    const settings = { cwd: clone, env: environment };
    return new Promise((resolve) => {
      execFile(process.execPath, args, settings, (error, stdout, stderr) => {
        const code = error === null ? 0 : Number(error.code);
        resolve({ code, output: stdout + stderr });
      });
    });
  }

  before(async function () {
    this.timeout(60_000);
    folder = await mkdtemp(join(tmpdir(), 'jobgate-release-test-'));
    clone = join(folder, 'clone');
    cleanClone(clone);
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
    git('init', '--quiet');
    git('config', 'user.name', 'Test');
    git('config', 'user.email', 'test@example.com');
    writeFileSync(join(clone, '.git/info/exclude'), 'node_modules\n');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Everything');
    environment = { ...process.env, PATH: `${programs()}${delimiter}${process.env['PATH']}` };
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** An npm that installs by a link to what is installed here, and a docker without an engine. */
  function programs(): string {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    const npm = execFileSync('which', ['npm'], { encoding: 'utf8' }).trim();
    const script = `#!/bin/sh\n[ "$1" = ci ] && exec ln -s '${ROOT}/node_modules' node_modules\nexec '${npm}' "$@"\n`;
    writeFileSync(join(bin, 'npm'), script, { mode: 0o755 });
    writeFileSync(join(bin, 'docker'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    return bin;
  }

  function expectNothingChanged(head: string): void {
    expect(git('status', '--porcelain')).to.equal('');
    expect(git('rev-parse', 'HEAD')).to.equal(head);
    expect(git('tag')).to.equal('');
  }

  it('is refused without a contact for reports of vulnerabilities', async () => {
    const head = git('rev-parse', 'HEAD');
    const { code, output } = await release('--gate-passed');
    expect(code, output).to.equal(1);
    expect(output).to.include('SECURITY.md has no contact for reports: fill in its marked place');
    expectNothingChanged(head);
  });

  if (isSlowLane) {
    it('is tried by a dry run, which says what is missing and changes nothing but dist/release', async () => {
      const head = git('rev-parse', 'HEAD');
      // As .ci/run does at its end.
      writeFileSync(join(clone, git('rev-parse', '--git-path', 'gate-passed')), head);
      const { code, output } = await release('--dry-run');
      expect(code, output).to.equal(0);
      expect(output).to.include('Skipped: the image (no container engine answers)');
      expect(output).to.include('SECURITY.md has no contact');
      expect(output).not.to.include('.ci/run has not passed');
      for (const { where, name } of Object.values(NAMES).slice(0, 3)) {
        expect(output).to.include(`Not yet: ${name} on ${where} is not ours`);
      }
      expectNothingChanged(head);
      expect(await readdir(join(clone, 'dist/release'))).to.have.members([
        `jobgate-${VERSION}.tgz`,
        `jobgate-client-${VERSION}.tgz`,
        `jobgate-${VERSION}-py3-none-any.whl`,
        `jobgate-${VERSION}.tar.gz`,
        `jobgate-${VERSION}.cdx.json`,
        'SHA256SUMS',
      ]);
      for (const line of read('dist/release/SHA256SUMS').trim().split('\n')) {
        const [sum, name = ''] = line.split('  ');
        const bytes = readFileSync(join(clone, 'dist/release', name));
        expect(createHash('sha256').update(bytes).digest('hex'), name).to.equal(sum);
      }
      const bill = JSON.parse(read(`dist/release/jobgate-${VERSION}.cdx.json`)) as {
        metadata: { component: object };
      };
      expect(bill.metadata.component).to.include({ name: 'jobgate', version: VERSION });
    }).timeout(120_000);
  }

  it('is refused where the gate fails, which it runs unless it passed for this commit', async () => {
    const page = read('SECURITY.md').replace('none yet', '<mailto:security@example.com>');
    writeFileSync(join(clone, 'SECURITY.md'), page);
    writeFileSync(join(clone, '.ci/run'), '#!/bin/sh\necho A test fails\nexit 1\n');
    git('commit', '--quiet', '--all', '--message', 'Name a contact, and fail');
    const head = git('rev-parse', 'HEAD');
    const { code, output } = await release();
    expect(code).to.equal(1);
    expect(output).to.include('A test fails');
    expectNothingChanged(head);
  });

  it('commits one version everywhere, with its date, and tags it', async () => {
    const head = git('rev-parse', 'HEAD');
    const checkout = await ReleaseCheckout.create(clone, VERSION, '2098-07-06');
    checkout.bringHome(VERSION);
    checkout.remove();
    expect(git('rev-parse', 'HEAD~1', `v${VERSION}~1`)).to.equal(`${head}\n${head}`);
    expect(git('log', '-1', '--format=%s')).to.equal(`Release ${VERSION}`);
    expect(read('CHANGELOG.md')).to.include(`\n## ${VERSION}, 2098-07-06\n`);
    for (const [path, places] of Object.entries(VERSION_PLACES)) {
      for (const place of places) expect(read(path)).to.include(place.replace('$', VERSION));
    }
    // The tests of the released version hold its table of versions.
    const mocha = join(clone, 'node_modules/.bin/mocha');
    const tests = ['--config', '.mocharc.file.yml', 'test/project/compatibility.test.ts'];
    execFileSync(mocha, tests, { cwd: clone });
  }).timeout(60_000);
});

describe('the version of the project', () => {
  it('stands in each of its places', () => {
    for (const [path, places] of Object.entries(VERSION_PLACES)) {
      for (const place of places) {
        expect(text(path), path).to.include(place.replace('$', manifest.version));
      }
    }
  });

  it('stands nowhere else', () => {
    const version = manifest.version.replaceAll('.', '\\.');
    const named = new RegExp(
      `jobgate\\S{0,20}(?<![\\d.])${version}(?![\\d.])|version.{0,6}\\b${version}\\b`,
    );
    const places = [...Object.keys(VERSION_PLACES), 'CHANGELOG.md'];
    const others = projectFiles.filter(
      (path) => !places.includes(path) && /\.(md|json|ya?ml|toml|js|ts|py)$/.test(path),
    );
    expect(others.filter((path) => named.test(text(path)))).to.deep.equal([]);
  });

  it('gets a row above the version before it, in the table of versions that work together', () => {
    const page = text('docs/compatibility.md');
    const rows = compatibilityPage(page, '98.7.6', [manifest.version]).match(/^\| \d.*$/gm) ?? [];
    const [made = '', before = ''] = rows.map((row) => row.replaceAll(/ +/g, ' '));
    const minor = minorOf(manifest.version);
    expect(made).to.match(new RegExp(`^\\| 98\\.7 \\| 98\\.7, ${minor} \\| 98\\.7, ${minor} \\|`));
    expect(made.split('|').slice(4)).to.deep.equal(before.split('|').slice(4));
    expect(before).to.match(new RegExp(`^\\| ${minor} \\|`));
  });

  it('is installed from names that are ours alone, on every page', () => {
    const commands = [
      [NAMES.service, /npx jobgate|npm (?:i|install) jobgate(?![-.\w])/],
      [NAMES.typescript, /npm (?:i|install) jobgate-client(?![-.\w])/],
      [NAMES.python, /pip install jobgate/],
    ] as const;
    const pages = projectFiles.filter((path) => path.endsWith('.md'));
    for (const [, command] of commands.filter(([name]) => !name.isOurs)) {
      expect(pages.filter((path) => command.test(text(path)))).to.deep.equal([]);
    }
  });
});
