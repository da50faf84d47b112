// `npm run conformance`: writes every rule with the tests that enforce it to generated/conformance.md.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conformancePage } from './conformance/conformance-page.ts';

const FOLDER = join(import.meta.dirname, '../generated');

mkdirSync(FOLDER, { recursive: true });
writeFileSync(join(FOLDER, 'conformance.md'), `${conformancePage()}\n`);
