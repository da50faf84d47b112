// `npm start`: builds what is missing or older than its sources, then serves in this very process.
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { isBuilt } from './build-age.js';

const root = new URL('..', import.meta.url);
if (!isBuilt(fileURLToPath(root))) {
  process.stderr.write('Building the service, which takes some seconds\n');
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
}
await import(new URL('dist/main.js', root).href);
