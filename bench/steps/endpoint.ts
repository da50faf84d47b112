import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Pool } from 'undici';

/*
 * An endpoint of jobs of several steps. The path of a call says what they do, and its header how many steps they have:
 *
 * - /plain: nothing;
 * - /put/PORT/COUNT: save steps during the call, at the service that listens there, and end;
 * - /answer/COUNT: save one step with each answer, and end;
 * - /wait/COUNT/BYTES: save steps of a size, wait for the signal `go`, which is the last step, and end;
 * - /sleep: sleep for a day.
 */
const DAY = 86_400_000;
const VALUE = '{"payment":"ch_4711","amount":17}';

const services = new Map<string, Pool>();

interface Called {
  readonly job: { readonly id: string; readonly queueQualifiedName: string };
  readonly token: string;
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, kind, ...rest] = (request.url ?? '').split('/');
  const saved = Number(request.headers['jobgate-steps'] ?? 0);
  if (kind === 'put') {
    const [port = '', count] = rest;
    await putAll((await json(request)) as Called, port, Number(count));
  } else {
    await once(request.resume(), 'end');
  }
  const answer = answerOf(kind, saved, rest.map(Number));
  response.writeHead(answer === undefined ? 200 : 206);
  response.end(answer);
}

/** The body of a 206; undefined for the end. */
function answerOf(
  kind: string | undefined,
  saved: number,
  [count = 0, bytes = 0]: readonly number[],
): string | undefined {
  if (kind === 'sleep') return `{"sleep":{"day":${DAY}}}`;
  if (kind === 'answer' && saved < count) return `{"steps":{"step-${saved}":${VALUE}}}`;
  if (kind !== 'wait' || saved > 0) return undefined;
  const value = `"${'x'.repeat(Math.max(0, bytes - 2))}"`;
  const steps = Array.from({ length: count - 1 }, (_, index) => `"step-${index}":${value}`);
  return `{"steps":{${steps.join(',')}},"waitFor":{"signal":{"signal":"go"}}}`;
}

async function putAll({ job, token }: Called, port: string, count: number): Promise<void> {
  const service = services.get(port) ?? new Pool(`http://127.0.0.1:${port}`);
  services.set(port, service);
  const queue = job.queueQualifiedName.split(':')[1] ?? '';
  for (let step = 0; step < count; step += 1) {
    const { statusCode, body } = await service.request({
      method: 'PUT',
      path: `/queues/${queue}/jobs/${job.id}/steps/step-${step}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: VALUE,
    });
    await body.dump();
    if (statusCode !== 201) throw new Error(`A step was answered with ${statusCode}`);
  }
}

const server = createServer((request, response) => {
  respond(request, response).catch((error: unknown) => {
    console.error(error);
    response.destroy();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
});
process.on('SIGTERM', () => process.exit(0));
