// `npm run check:bullmq -- 6.8.0`: proves that jobgate works with a version of BullMQ. In a copy of the
// project it installs that version, takes it for the pinned one, and runs the tests of the Redis store:
// that added jobs and ended attempts are stored as the library stores them, every contract, native
// clients and a cluster. Without a version it proves the installed one.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PINNED = /(const PINNED_VERSION = ')[^']+(')/;
const COPIED = [
  'src',
  'clients',
  'test',
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  '.npmrc',
];

const installed = createRequire(import.meta.url)('bullmq/package.json').version;
const candidate = process.argv[2] ?? installed;
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(candidate)) {
  process.stderr.write('Usage: npm run check:bullmq -- <exact version, such as 6.8.0>\n');
  process.exit(1);
}

const copy = mkdtempSync(join(tmpdir(), 'jobgate-check-'));
const run = (command, ...parameters) =>
  execFileSync(command, parameters, { cwd: copy, stdio: 'inherit' });
try {
  for (const name of [...COPIED, '.mocharc.store.yml']) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  }
  if (candidate === installed) {
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  } else {
    run('npm', 'ci', '--silent');
    run('npm', 'install', '--silent', '--no-save', `bullmq@${candidate}`);
  }
  const library = join(copy, 'src/adapters/outbound/redis/lua/library.ts');
  writeFileSync(library, readFileSync(library, 'utf8').replace(PINNED, `$1${candidate}$2`));
  run(join('node_modules', '.bin', 'mocha'), '--config', '.mocharc.store.yml');
  process.stdout.write(
    `\nBullMQ ${candidate} fits. To move to it: npm install bullmq@${candidate}, set PINNED_VERSION in\n` +
      'src/adapters/outbound/redis/lua/library.ts, and run npm test.\n',
  );
} catch {
  process.stderr.write(
    `\nBullMQ ${candidate} does not fit: see the output above and docs/adr/0003\n`,
  );
  process.exitCode = 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
