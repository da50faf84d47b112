import type { AuditedCall } from '../../../../application/audit/audit.ts';
import type { Caller } from '../../../../domain/access/caller.ts';
import type { AuditDetail, AuditTarget } from '../../../../domain/audit/audit-entry.ts';
import { isObject } from '../../../../domain/values/json.ts';
import type { Route } from './route.ts';

/** The entry of a request in the audit, without its outcome. */
export function auditedCall(
  route: Route,
  {
    caller,
    address,
    parameters,
    body,
    requestId,
  }: {
    readonly caller: Caller;
    readonly address: string;
    readonly parameters: Readonly<Record<string, string>>;
    readonly body: unknown;
    readonly requestId: string;
  },
): AuditedCall {
  return {
    caller,
    address,
    action: route.action ?? `request.${route.operationId}`,
    target: targetOf(route, parameters, body),
    detail: detailOf(body),
    requestId,
  };
}

function targetOf(
  { tag, path }: Route,
  parameters: Readonly<Record<string, string>>,
  body: unknown,
): AuditTarget {
  const named = isObject(body) && path === '/workers' ? body['queue'] : undefined;
  const queue = parameters['queue'] ?? (typeof named === 'string' ? named : undefined);
  const { jobId: job, schedulerId: scheduler, hook, id } = parameters;
  const token = path.startsWith('/tokens') ? id : undefined;
  return {
    ...(queue !== undefined && { queue }),
    ...(queue !== undefined && tag === 'Workers' && { worker: queue }),
    ...(job !== undefined && { job }),
    ...(scheduler !== undefined && { scheduler }),
    ...(hook !== undefined && { hook }),
    ...(token !== undefined && { token }),
  };
}

/** The names of the fields and, for a repair, its filter, which contains no data of jobs. */
function detailOf(body: unknown): AuditDetail {
  if (!isObject(body)) return {};
  const fields = Object.keys(body);
  const { filter } = body;
  if (!isObject(filter)) return fields.length === 0 ? {} : { fields };
  return { fields, filter };
}
