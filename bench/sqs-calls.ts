import { request, type Agent } from 'undici';
import type { Target } from './load.ts';

/** The only queue that the bench uses over SQS. */
export const QUEUE = 'bench';
const QUEUE_URL = `http://127.0.0.1/sqs/000000000000/${QUEUE}`;

function sqsHead(target: Target, operation: string): Readonly<Record<string, string>> {
  const scope = '20260101/us-east-1/sqs/aws4_request';
  return {
    Host: target.host,
    Authorization: `AWS4-HMAC-SHA256 Credential=${target.token}/${scope}, SignedHeaders=host, Signature=0`,
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Target': `AmazonSQS.${operation}`,
  };
}

/** The bytes of a call that a lane sends as they are. */
export function sqsBytes(target: Target, operation: string, input: object): Buffer {
  const body = JSON.stringify({ QueueUrl: QUEUE_URL, ...input });
  const head = Object.entries(sqsHead(target, operation))
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`POST /sqs/ HTTP/1.1\r\n${head}${length}\r\n${body}`);
}

/** The answer of an operation of SQS. */
export async function sqsCall(
  target: Target,
  dispatcher: Agent,
  operation: string,
  input: object,
): Promise<unknown> {
  const answer = await request(`http://${target.host}:${target.port}/sqs/`, {
    method: 'POST',
    headers: sqsHead(target, operation),
    body: JSON.stringify({ QueueUrl: QUEUE_URL, ...input }),
    dispatcher,
  });
  if (answer.statusCode !== 200) throw new Error(`${operation}: ${await answer.body.text()}`);
  return answer.body.json();
}
