// `npm start`: builds what is missing or older than its sources, then serves in this very process.
import { execFileSync } from 'node:child_process';
import { fileURLToPath, URL } from 'node:url';
import { isBuilt } from './build-age.js';

const root = new URL('..', import.meta.url);
if (!isBuilt(fileURLToPath(root))) {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
}
await import(new URL('dist/main.js', root).href);
