import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { conformancePage } from './conformance-page.ts';
import { openApiPage } from './openapi-page.ts';
import { variablesTable } from './variables-table.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The pages that are generated, whole or in part, as they should stand: paths from the root to texts. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const options = await resolveConfig(join(ROOT, 'README.md'));
  const table = withPart(readme, 'variables', variablesTable());
  return new Map([
    ['README.md', await format(table, { ...options, parser: 'markdown' })],
    ['docs/conformance.md', await format(conformancePage(), { ...options, parser: 'markdown' })],
    ['docs/openapi.json', openApiPage()],
  ]);
}

/** The page with another text between the two comments that mark the part. */
function withPart(page: string, part: string, text: string): string {
  const marked = new RegExp(`(<!-- ${part}: .* -->\n)[^]*(<!-- end of ${part} -->)`);
  if (!marked.test(page)) throw new Error(`The page has no part that is marked as ${part}`);
  return page.replace(marked, (_, start: string, end: string) => `${start}\n${text}\n\n${end}`);
}
