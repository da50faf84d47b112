import type { ReplyHeaders, WholeReply } from '../../exchange/whole-reply.ts';
import type { Handled } from '../handlers/handler.ts';
import type { SqsError } from './sqs-error.ts';

export const AWS_JSON = 'application/x-amz-json-1.0';

/** The namespace of the errors in the service model. */
const NAMESPACE = 'com.amazonaws.sqs';

/** An answer with a result; null for an operation that has none, which SDKs read as an empty structure. */
export function resultReply({ result, undelivered }: Handled): WholeReply {
  return {
    ...{ status: 200, contentType: AWS_JSON },
    body: result === null ? '{}' : JSON.stringify(result),
    ...(undelivered !== undefined && { undelivered }),
  };
}

/** An error in the form of the AWS JSON protocol, with its code of the query protocol beside it. */
export function errorReply(failure: SqsError): WholeReply {
  const { error, message, status } = failure;
  const body = JSON.stringify({ __type: `${NAMESPACE}#${error}`, message });
  return { status, contentType: AWS_JSON, body, headers: errorHeaders(failure) };
}

/** The same in the form of the query protocol, for clients that cannot read another. */
export function queryErrorReply(failure: SqsError, requestId: string): WholeReply {
  const { message, status } = failure;
  const body =
    '<?xml version="1.0"?><ErrorResponse xmlns="http://queue.amazonaws.com/doc/2012-11-05/"><Error>' +
    `<Type>${fault(failure)}</Type><Code>${failure.code}</Code><Message>${escaped(message)}</Message>` +
    `</Error><RequestId>${escaped(requestId)}</RequestId></ErrorResponse>`;
  return { status, contentType: 'text/xml', body, headers: errorHeaders(failure) };
}

function errorHeaders(failure: SqsError): ReplyHeaders {
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
