import type { SqsError } from './sqs-error.ts';

/** An answer of the interface, ready to be sent. */
export interface SqsReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called if the answer could not be sent whole because the client had left. */
  readonly undelivered?: () => void;
}

export const AWS_JSON = 'application/x-amz-json-1.0';

/** The namespace of the errors in the service model. */
const NAMESPACE = 'com.amazonaws.sqs';

/** An answer with a result; null for an operation that has none, which SDKs read as an empty structure. */
export function resultReply(result: object | null): SqsReply {
  return {
    status: 200,
    contentType: AWS_JSON,
    body: result === null ? '{}' : JSON.stringify(result),
  };
}

/** An error in the form of the AWS JSON protocol, with its code of the query protocol beside it. */
export function errorReply(failure: SqsError): SqsReply {
  const { error, message, status } = failure;
  const body = JSON.stringify({ __type: `${NAMESPACE}#${error}`, message });
  return { status, contentType: AWS_JSON, body, headers: errorHeaders(failure) };
}

/** The same in the form of the query protocol, for clients that cannot read another. */
export function queryErrorReply(failure: SqsError, requestId: string): SqsReply {
  const { message, status } = failure;
  const body =
    '<?xml version="1.0"?><ErrorResponse xmlns="http://queue.amazonaws.com/doc/2012-11-05/"><Error>' +
    `<Type>${fault(failure)}</Type><Code>${failure.code}</Code><Message>${escaped(message)}</Message>` +
    `</Error><RequestId>${escaped(requestId)}</RequestId></ErrorResponse>`;
  return { status, contentType: 'text/xml', body, headers: errorHeaders(failure) };
}

function errorHeaders(failure: SqsError): Readonly<Record<string, string>> {
  const { code, retryAfter, mayBeStored } = failure;
  return {
    'x-amzn-query-error': `${code};${fault(failure)}`,
    ...(retryAfter !== undefined && { 'Retry-After': String(Math.ceil(retryAfter / 1000)) }),
    ...(mayBeStored && { 'Jobgate-Stored': 'unknown' }),
  };
}

function fault({ isOfSender }: SqsError): 'Sender' | 'Receiver' {
  return isOfSender ? 'Sender' : 'Receiver';
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
