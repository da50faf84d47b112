// `npm run package`: what npm installs elsewhere. The bundle has its packages in it, so that this package depends on
// none: npm would install them again, in versions of its own choice, and nothing would load them. What the bundle
// holds is in dist/bom.cdx.json.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** What running an example leaves behind, earlier releases, and the site. */
const LEFT_BEHIND = [
  'node_modules',
  '__pycache__',
  join(ROOT, 'dist/release'),
  join(ROOT, 'dist/site'),
];

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const { name, version, description, license, type, bin, files, engines } = manifest;

const folder = mkdtempSync(join(tmpdir(), 'jobgate-package-'));
try {
  for (const path of [...files, 'LICENSE', 'README.md']) {
    const filter = (source) =>
      !LEFT_BEHIND.includes(basename(source)) && !LEFT_BEHIND.includes(source);
    cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter });
  }
  const packed = { name, version, description, license, private: true, type, bin, files, engines };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
  execFileSync('npm', ['pack', folder, ...process.argv.slice(2)], { stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
