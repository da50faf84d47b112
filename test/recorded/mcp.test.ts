import { expect } from 'chai';
import { prepareCalls } from '../integration/http/openapi/prepare-calls.ts';
import { HttpService, TOKEN } from '../integration/http/support/http-service.ts';
import { restrictedTokens } from '../integration/http/support/restricted-tokens.ts';
import { Recording } from './recording.ts';
import { shownAnswer } from './shown-answer.ts';

const URL = 'http://127.0.0.1:1/';

/** What tools read and change, besides what is prepared for all calls. */
const SETTINGS: readonly (readonly [method: string, path: string, body: object])[] = [
  [
    'POST',
    '/flows',
    {
      ...{ queue: 'mail', name: 'all', data: 1, opts: { jobId: 'report' } },
      children: [{ queue: 'mail', name: 'part', data: 2, opts: { group: { id: 'acme' } } }],
    },
  ],
  ['POST', '/workers', { queue: 'mail', endpoint: { url: URL, method: 'post' } }],
  ['PUT', '/hooks/on-call', { url: URL, events: ['job.failed'] }],
  ['PUT', '/queues/mail/groups/acme', { concurrency: 2 }],
  [
    'PUT',
    '/queues/mail/schedulers/nightly',
    { repeat: { every: 86_400_000 }, job: { name: 'report', data: 1 } },
  ],
  ['PUT', '/limits/smtp', { concurrency: 5, limiter: { max: 100, duration: 60_000 } }],
  ['PUT', '/topics/orders/subscriptions/mail', { queue: 'mail', filter: { name: ['order.*'] } }],
];

const CALLS: readonly (readonly [tool: string, input: object])[] = [
  ['overview', {}],
  ['overview', { hook: 'on-call' }],
  ['list_queues', {}],
  ['get_queue', { queue: 'mail' }],
  ['get_queue', { queue: 'none' }],
  ['get_queue', {}],
  ['list_jobs', { queue: 'mail' }],
  ['list_jobs', { queue: 'broken', statuses: ['failed'], length: 1 }],
  ['get_job', { queue: 'broken', id: '1' }],
  ['get_job', { queue: 'broken', id: 'none' }],
  ['failures', {}],
  ['failures', { queue: 'broken' }],
  ['workers', {}],
  ['workers', { queue: 'mail' }],
  ['schedulers', {}],
  ['schedulers', { queue: 'mail' }],
  ['groups', { queue: 'mail' }],
  ['get_flow', { queue: 'mail', id: 'report' }],
  ['hooks', {}],
  ['hooks', { id: 'on-call' }],
  ['limits', {}],
  ['limits', { id: 'smtp' }],
  ['limits', { id: 'none' }],
  ['topics', {}],
  ['topics', { topic: 'orders' }],
  ['topics', { topic: 'none' }],
  ['add_job', { queue: 'mail', name: 'send', data: { to: 'ada' }, opts: { jobId: 'letter' } }],
  ['add_job', { queue: 'mail', name: 'send', data: 1, opts: { lifo: 1 } }],
  ['publish', { topic: 'orders', name: 'order.made', data: 1, dryRun: true }],
  ['publish', { topic: 'orders', name: 'other', data: { sum: 1 } }],
  ['control_queue', { queue: 'mail', action: 'pause' }],
  ['control_queue', { queue: 'mail', action: 'hold', for: 60_000 }],
  ['control_queue', { queue: 'mail', action: 'hold' }],
  ['control_group', { queue: 'mail', id: 'acme', action: 'pause' }],
  ['control_hook', { id: 'on-call', action: 'test' }],
  ['control_hook', { id: 'on-call', action: 'resend', message: 'one' }],
  ['control_hook', { id: 'on-call', action: 'resend' }],
  ['run_scheduler', { queue: 'mail', id: 'nightly' }],
  ['repair', { queue: 'broken', action: 'retry' }],
  ['repair', { queue: 'broken', action: 'retry', all: true }],
  ['repair', { queue: 'broken', action: 'retry', confirm: 'none' }],
  ['send_signal', { queue: 'mail', key: 'paid:17' }],
  ['send_signal', { queue: 'mail', key: 'paid:17', confirm: 'none' }],
  ['send_signal', { queue: 'mail' }],
  ['none', {}],
];

describe('the tools of the Model Context Protocol', () => {
  it('answer as it was recorded', async () => {
    const service = await new HttpService({
      keptIn: 'memory',
      knownTokens: restrictedTokens({ reader: { rights: ['read'], queues: ['mail'] } }),
    }).start();
    try {
      await prepareCalls(service);
      for (const [method, path, body] of SETTINGS) {
        const { status, text } = await service.request(method, path, { body });
        expect(status, text).to.equal(200);
      }
      const send = (method: string, params: object, token = TOKEN) =>
        service.request('POST', '/mcp', { token, body: { jsonrpc: '2.0', id: 1, method, params } });
      const recording = new Recording('mcp');
      for (const token of ['reader', TOKEN]) {
        recording.note(
          `tools/list with ${token}`,
          shownAnswer(await send('tools/list', {}, token)),
        );
        for (const [name, input] of CALLS) {
          const answer = await send('tools/call', { name, arguments: input }, token);
          recording.note(`${name} ${JSON.stringify(input)} with ${token}`, shownAnswer(answer));
        }
      }
      recording.expectUnchanged();
      const { text } = await send('tools/list', {});
      const { result } = JSON.parse(text) as { result: { tools: readonly { name: string }[] } };
      const called = new Set(CALLS.map(([name]) => name));
      expect([...called]).to.have.members([...result.tools.map(({ name }) => name), 'none']);
    } finally {
      await service.stop();
    }
  });
});
