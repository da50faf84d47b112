import { operationRows } from './described-operations.ts';

/** The names of all actions that the audit records, in Markdown. */
export function actionsList(): string {
  const actions = new Set(operationRows.flatMap(({ action }) => action ?? []));
  return `${[...actions]
    .sort()
    .map((action) => `\`${action}\``)
    .join(', ')}.`;
}
