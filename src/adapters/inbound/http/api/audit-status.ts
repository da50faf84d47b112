import type { AuditEntry } from '../../../../domain/audit/audit-entry.ts';
import { ERROR_STATUS } from '../../exchange/error-status.ts';
import type { RouteDeclaration } from './route.ts';

/** The status with which a call that succeeded was answered, by its action. */
export type StatusOfAction = (action: string) => number;

export function statusOfActions(routes: readonly RouteDeclaration[]): StatusOfAction {
  const statuses = new Map<string, number>();
  for (const { action, replies } of routes) {
    const [status] = Object.keys(replies);
    if (action !== undefined) statuses.set(action, Number(status));
  }
  return (action) => statuses.get(action) ?? 200;
}

/** An entry with the status of its answer, as the API has always shown it. */
export function shownEntry(entry: AuditEntry, statusOfAction: StatusOfAction): object {
  const { id, at, who, address, action, target, detail, outcome, requestId, status } = entry;
  const shown = { id, at, who, address, action, target, detail, outcome };
  return { ...shown, status: status ?? statusOf(entry, statusOfAction), requestId };
}

function statusOf(
  { outcome, code = null, action, latest = action }: AuditEntry,
  statusOfAction: StatusOfAction,
): number | null {
  if (outcome === 'started') return null;
  if (code === null) return statusOfAction(latest);
  return code in ERROR_STATUS ? ERROR_STATUS[code as keyof typeof ERROR_STATUS] : 500;
}
