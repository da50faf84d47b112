import { readFileSync } from 'node:fs';
import { createServer, request as send, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { expect } from 'chai';
import {
  createWorker,
  Fail,
  NotNow,
  Retry,
  type Context,
  type WorkerOptions,
} from '../../clients/typescript/src/index.ts';
import { sign } from '../../clients/typescript/src/signature.ts';

interface Scenario {
  readonly title: string;
  readonly body?: unknown;
  readonly text?: string;
  readonly size?: number;
  readonly secrets?: readonly string[];
  readonly secret?: unknown;
  readonly signedWith?: string;
  readonly begins?: string;
  readonly offset?: number;
  readonly changed?: string;
  readonly set?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
  readonly double?: readonly string[];
  readonly expect: {
    readonly created?: boolean;
    readonly status?: number;
    readonly failing?: boolean;
    readonly runs: boolean;
    readonly value?: unknown;
    readonly detail?: string;
    readonly detailBytes?: number;
    readonly headers?: Readonly<Record<string, string | null>>;
  };
}

const FILE = new URL('../../clients/conformance/webhook.json', import.meta.url);
const scenarios = JSON.parse(readFileSync(FILE, 'utf8')) as readonly Scenario[];
const NOW = 1_795_337_293_000;

const secretOf = (letter: string): string =>
  `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`;

describe('The webhook worker of the TypeScript client', () => {
  let server: Server | undefined;

  afterEach(() => server?.close());

  for (const scenario of scenarios) {
    // holds: costs.clients
    it(scenario.title, async () => {
      const secrets = scenario.secrets ?? ['a'];
      let runs = 0;
      let rejections = 0;
      const ran =
        (work: (data: unknown, context: Context) => unknown) =>
        ({ data }: { readonly data: unknown }, context: Context) => {
          runs += 1;
          return work(data, context);
        };
      const throwing = (error: Error) =>
        ran(() => {
          throw error;
        });
      const circular: unknown[] = [];
      circular.push(circular);
      const options: WorkerOptions = {
        secret: ('secret' in scenario
          ? (scenario.secret ?? undefined)
          : secrets.map(secretOf)) as WorkerOptions['secret'],
        url: 'http://127.0.0.1:9',
        now: () => NOW,
        onRejected: () => {
          rejections += 1;
          throw new Error('A listener that fails changes no answer');
        },
        handlers: {
          echo: ran((data) => data),
          nothing: ran(() => undefined),
          fail: throwing(new Fail('wrong')),
          retry: throwing(new Retry('later', { after: 1500 })),
          notNow: throwing(new NotNow({ after: 3000, hold: 'job' })),
          throw: throwing(new Error('broken')),
          long: throwing(new Error('x'.repeat(2000))),
          circular: ran(() => circular),
          cost: ran((data, context) => {
            context.cost(1532);
            if (data === 'fail') throw new Fail('wrong');
          }),
          rest: ran((_, { steps }) => steps.sleep('rest', '1h30m').catch(() => 'caught')),
          together: ran((_, { steps }) =>
            Promise.all([steps.sleep('nap', '1s'), steps.sleep('rest', 2000)]),
          ),
          paid: ran((_, { steps }) =>
            steps.waitFor('paid', { signal: 'paid:17', timeout: '1d' }).catch(() => 'caught'),
          ),
          ship: ran((_, { steps }) =>
            steps.add('ship', [{ queue: 'ship', name: 'label', data: 1 }]).catch(() => 'caught'),
          ),
          charge: ran((_, { steps }) => steps.run('charge', () => 'again')),
        },
      };
      if (scenario.expect.created === false) {
        expect(() => createWorker(options)).to.throw(/^secret /);
        return;
      }
      const worker = createWorker(options);
      server = createServer((request, response) => {
        worker.node(request, response).catch((error: unknown) => response.destroy(error as Error));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');

      const { body = { job: { id: '1', name: 'echo', data: null }, token: 't' }, size = 0 } =
        scenario;
      const padded =
        size === 0 ? body : { job: { id: '1', name: 'echo', data: 'x'.repeat(size) }, token: 't' };
      const right = scenario.text ?? JSON.stringify(padded);
      const timestamp = String(NOW / 1000 + (scenario.offset ?? 0));
      const signer = secretOf(scenario.signedWith ?? secrets[0]!);
      const { begins = '' } = scenario;
      const signedAs = (number: number): Promise<string> =>
        sign(signer, `msg_${number}`, timestamp, Buffer.from(right));
      let number = 1;
      let signature = await signedAs(number);
      while (!signature.startsWith(`v1,${begins}`)) {
        number += 1;
        signature = await signedAs(number);
      }
      const headers: Record<string, string | string[]> = {
        'webhook-id': `msg_${number}`,
        'webhook-timestamp': timestamp,
        'webhook-signature': signature,
      };
      for (const [name, value] of Object.entries(scenario.set ?? {})) {
        headers[name] = value
          .replace('{right}', signature.slice(3))
          .replace('{unpadded}', signature.slice(3).replace('=', ''));
      }
      for (const name of scenario.remove ?? []) Reflect.deleteProperty(headers, name);
      for (const name of scenario.double ?? []) {
        headers[name] = [headers[name] as string, headers[name] as string];
      }

      const { port } = server.address() as { readonly port: number };
      const call = send({ port, host: '127.0.0.1', method: 'POST', headers, agent: false });
      call.end(scenario.changed?.replace('{right}', right) ?? right);
      const [response] = (await once(call, 'response')) as [IncomingMessage];
      const answer = await text(response);

      const { expect: expected } = scenario;
      if (expected.status !== undefined) expect(response.statusCode).to.equal(expected.status);
      if (expected.failing === true) expect(response.statusCode).to.be.at.least(400);
      expect(runs > 0).to.equal(expected.runs);
      expect(rejections).to.equal(expected.status === 401 ? 1 : 0);
      if (expected.status === 401)
        expect(response.headers).not.to.have.property('jobgate-no-retry');
      if ('value' in expected) expect(JSON.parse(answer)).to.deep.equal(expected.value);
      const detail = (): string => (JSON.parse(answer) as { readonly detail: string }).detail;
      if (expected.detail !== undefined) expect(detail()).to.equal(expected.detail);
      if (expected.detailBytes !== undefined) {
        expect(Buffer.byteLength(detail())).to.equal(expected.detailBytes);
      }
      for (const [name, value] of Object.entries(expected.headers ?? {})) {
        expect(response.headers[name] ?? null).to.equal(value);
      }
    });
  }
});
