import { TOKEN, type SqsService } from './sqs-service.ts';

interface RawRequest {
  readonly path?: string;
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What a program without an SDK sees of an answer. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The header of a signed request. */
export function signed(token: string): string {
  return (
    `AWS4-HMAC-SHA256 Credential=${token}/20260101/eu-west-3/sqs/aws4_request, ` +
    'SignedHeaders=host;x-amz-date, Signature=0000'
  );
}

/** A request as it goes over the wire, of an operation by its name unless the headers say otherwise. */
export async function raw(
  service: SqsService,
  operation: string,
  { path = '/sqs', method = 'POST', token = TOKEN, headers = {}, body = '{}' }: RawRequest = {},
): Promise<RawAnswer> {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      authorization: signed(token),
      ...(operation !== '' && { 'x-amz-target': `AmazonSQS.${operation}` }),
      'content-type': 'application/x-amz-json-1.0',
      ...headers,
    },
    ...(method !== 'GET' && { body }),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
