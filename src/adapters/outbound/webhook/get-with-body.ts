import * as http from 'node:http';
import * as https from 'node:https';
import { headerRecord } from './header-record.ts';
import type { StreamedAnswer } from './streamed-answer.ts';
import type { WebhookRequest } from './webhook-request.ts';

/**
 * Sends a GET with a body, which fetch refuses to do. Resolves once the head of the answer is there; rejects if none
 * comes or the signal aborts.
 */
export function getWithBody(
  { target: { url, method }, headers }: WebhookRequest,
  body: Buffer,
  agent: http.Agent,
  signal: AbortSignal,
): Promise<StreamedAnswer> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? https.request : http.request;
    const all = { ...headerRecord(headers), 'content-length': String(body.length) };
    const request = send(url, { method, headers: all, agent, signal });
    request.once('response', (response) => {
      const head = {
        status: response.statusCode ?? 0,
        statusText: response.statusMessage,
        headers: response.headers,
      };
      resolve({ head, body: response });
    });
    request.on('error', reject);
    request.end(body);
  });
}
