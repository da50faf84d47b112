// `npm run lint:changed`: ESLint on the files that differ from the upstream branch, or from the latest commit where
// there is none, and luacheck if a script differs. It takes seconds; `npm run lint` looks at everything, since a
// change of a type may be a mistake in a file that did not change.
import { execFileSync, spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const git = (...args) =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

const changed = git('diff', '--name-only', '--diff-filter=d', base());
const added = git('ls-files', '--others', '--exclude-standard');
const files = [...new Set([...changed.split('\n'), ...added.split('\n')])];
const scripts = files.filter((file) => /\.(?:[jt]s|tsx)$/.test(file));
process.stdout.write(`${scripts.length} changed files\n`);
const isClean = [
  scripts.length === 0 || run('node_modules/eslint/bin/eslint.js', '--no-warn-ignored', ...scripts),
  !files.some((file) => file.endsWith('.lua')) || run('--import', 'tsx', 'scripts/lint-lua.ts'),
].every(Boolean);
process.exitCode = isClean ? 0 : 1;

/** The commit from which this branch left its upstream. */
function base() {
  try {
    return git('merge-base', 'HEAD', '@{upstream}').trim();
  } catch {
    return 'HEAD';
  }
}

function run(...args) {
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status === 0;
}
