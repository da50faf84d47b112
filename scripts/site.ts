// `npm run site`: the documentation as a site of plain files, for any web server: dist/site. The versions that are there
// already stay, so that a copy of what is published keeps all of them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildSite } from './site/build-site.ts';
import manifest from '../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '..');
const OUTPUT = join(ROOT, 'dist/site');

mkdirSync(OUTPUT, { recursive: true });
const pages = await buildSite(ROOT, OUTPUT, manifest.version);
console.log(`${pages} pages in dist/site/${manifest.version}`);
