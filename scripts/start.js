// `npm start`: builds what is missing, then serves in this very process.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { URL } from 'node:url';

const main = new URL('../dist/main.js', import.meta.url);
if (!existsSync(main)) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
await import(main.href);
