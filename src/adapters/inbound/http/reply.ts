export type ReplyHeaders = Readonly<Record<string, string>>;

/** A whole answer, ready to be sent. */
export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers?: ReplyHeaders;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

export function json(value: unknown, status = 200, headers: ReplyHeaders = {}): Reply {
  return { status, contentType: JSON_TYPE, body: JSON.stringify(value), headers };
}

export function text(body: string, status = 200, headers: ReplyHeaders = {}): Reply {
  return { status, contentType: TEXT_TYPE, body, headers };
}

/** The answer of every call that only does something (specification, "Endpoints"). */
export const OK: Reply = text('OK');
