import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { actionsList } from './actions-list.ts';
import { boundsTable } from './bounds-table.ts';
import { clientMethods } from './client-methods.ts';
import { clientTypes } from './client-types.ts';
import { openApiPage } from './openapi-page.ts';
import { portsPage } from './ports-page.ts';
import { routesList } from './routes-list.ts';
import { variablesTable } from './variables-table.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The pages that are generated, whole or in part, as they should stand: paths from the root to texts. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const options = await resolveConfig(join(ROOT, 'README.md'));
  const document = openApiPage();
  const readmes = (['typescript', 'python'] as const).map((client) => {
    const path = `clients/${client}/README.md`;
    return [path, withPart(path, 'methods', clientMethods(client))] as const;
  });
  const markdown = {
    ...Object.fromEntries(readmes),
    'docs/access.md': withPart('docs/access.md', 'actions', actionsList()),
    'docs/api.md': withPart('docs/api.md', 'routes', routesList(document)),
    'docs/configuration.md': withPart('docs/configuration.md', 'variables', variablesTable()),
    'docs/errors-and-limits.md': withPart('docs/errors-and-limits.md', 'bounds', boundsTable()),
    'docs/architecture/ports.md': portsPage(),
  };
  const types = await format(clientTypes(document), { ...options, parser: 'typescript' });
  const pages = new Map([
    ['docs/openapi.json', document],
    ['clients/typescript/src/api.ts', types],
  ]);
  for (const [path, text] of Object.entries(markdown)) {
    pages.set(path, await format(text, { ...options, parser: 'markdown' }));
  }
  return pages;
}

/** The page with another text between the two comments that mark the part. */
function withPart(path: string, part: string, text: string): string {
  const page = readFileSync(join(ROOT, path), 'utf8');
  const marked = new RegExp(`(<!-- ${part}: .* -->\n)[^]*(<!-- end of ${part} -->)`);
  if (!marked.test(page)) throw new Error(`${path} has no part that is marked as ${part}`);
  return page.replace(marked, (_, start: string, end: string) => `${start}\n${text}\n\n${end}`);
}
