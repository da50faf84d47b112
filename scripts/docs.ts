// `npm run docs`: writes what of the documentation follows from the sources.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedPages } from './docs/generated-pages.ts';

for (const [path, text] of await generatedPages()) {
  writeFileSync(join(import.meta.dirname, '..', path), text);
}
