import type { Audit, AuditedCall } from '../../../../application/audit/audit.ts';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type { AuditMark, Exchange } from '../messages/exchange.ts';
import type { Reply } from '../messages/reply.ts';
import { statusOf } from './error-reply.ts';
import type { Outcome, Route, RoutedCall } from './route.ts';

/** The part of the audit that requests need. */
export type AuditRecord = Pick<Audit, 'begin' | 'complete' | 'forget' | 'refused'>;

/** Handles calls, and records those that change something in the audit and the log. */
export class RecordedCalls {
  readonly #audit: AuditRecord;
  readonly #logger: LoggerPort;

  constructor(audit: AuditRecord, logger: LoggerPort) {
    this.#audit = audit;
    this.#logger = logger;
  }

  /**
   * Handles a call. A call that changes something is recorded before and after; any other only if its caller lacks a
   * right.
   *
   * @param record makes the audit entry of the call from its body.
   */
  async handle(
    route: Route,
    call: RoutedCall,
    record: (body: unknown) => AuditedCall,
    locals: Exchange,
  ): Promise<Reply> {
    let outcome: Outcome;
    try {
      outcome = await (route.action === undefined
        ? route.handle(call)
        : this.#audited(route, call, record(call.body), locals));
    } catch (error) {
      if (route.action === undefined && statusOf(error) === 403) {
        await this.refused(record(call.body), locals);
      }
      throw error;
    }
    if (!('line' in outcome)) return outcome;
    const { line, fields, reply } = outcome;
    const { queue } = call.parameters;
    const place = { requestId: locals.id, ...(queue !== undefined && { queue }) };
    this.#logger.info(line, { ...place, ...fields, ...locals.audited });
    return reply;
  }

  /** Records a call whose caller lacks a right. */
  async refused(call: AuditedCall, locals: Exchange): Promise<void> {
    locals.audited = marked(call);
    await this.#audit.refused(call);
  }

  async #audited(
    route: Route,
    call: RoutedCall,
    audited: AuditedCall,
    locals: Exchange,
  ): Promise<Outcome> {
    const entry = await this.#audit.begin(audited);
    try {
      const outcome = await route.handle(call);
      if ('line' in outcome) {
        locals.audited = marked(audited);
        const { fields = {}, token, reply } = outcome;
        const target = token === undefined ? entry.target : { ...entry.target, token };
        const ended = { outcome: 'ok', status: reply.status, detail: fields } as const;
        await this.#audit.complete({ ...entry, target }, ended);
      } else {
        await this.#audit.forget(entry);
      }
      return outcome;
    } catch (error) {
      const status = statusOf(error);
      if (status === 400) await this.#audit.forget(entry);
      else {
        locals.audited = marked(audited);
        const outcome = status === 403 ? 'refused' : 'failed';
        await this.#audit.complete(entry, { outcome, status, detail: {} });
      }
      throw error;
    }
  }
}

/** The fields that the log line of an audited call has in addition. */
function marked({ action, caller }: AuditedCall): AuditMark {
  return { audit: true, action, who: caller.name, tokenId: caller.id };
}
