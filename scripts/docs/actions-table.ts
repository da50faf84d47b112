import type { OperationTerms } from '../../src/application/operations/operation.ts';
import { describedOperations } from './described-operations.ts';

interface Paths {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId?: string }>>>
  >;
}

/**
 * Every action that the audit records, with the calls that it stands for and the right that they need, as a table in
 * Markdown.
 *
 * @param document the OpenAPI document.
 */
export function actionsTable(document: string): string {
  const routes = routesOf(JSON.parse(document) as Paths);
  const rows = new Map<string, { readonly calls: string[]; readonly access: string }>();
  const operations = Object.values(describedOperations).flatMap((area) =>
    Object.values<OperationTerms>(area),
  );
  for (const { id, action, access } of operations) {
    if (action === undefined) continue;
    const row = rows.get(action) ?? { calls: [], access };
    row.calls.push(routes.get(id) ?? '[SQS](sqs.md)');
    rows.set(action, row);
  }
  const lines = [...rows].map(
    ([action, { calls, access }]) =>
      `| \`${action}\` | ${calls.join(', ')} | ${access.endsWith('-token') ? 'any' : `\`${access}\``} |`,
  );
  return ['| Action | Calls | Right |', '| --- | --- | --- |', ...lines].join('\n');
}

function routesOf({ paths }: Paths): ReadonlyMap<string, string> {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) =>
      operationId === undefined
        ? []
        : [
            [
              operationId,
              `\`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}\``,
            ] as const,
          ],
    ),
  );
  return new Map(routes);
}
