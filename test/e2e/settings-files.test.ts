import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { commandLine } from '../support/command-line.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';

const HEADERS = { Authorization: 'Bearer secret' };

/** Paths of the API with the bodies that are stored there. */
const BODIES: readonly (readonly [method: string, path: string, body: object])[] = [
  ['PUT', '/policy', { maxWaiting: 1000 }],
  [
    'PUT',
    '/queues/mail/policy',
    {
      defaults: { attempts: 3, callback: { url: 'https://a.example/done', headers: HEADERS } },
      callbacks: {
        origins: ['https://a.example'],
        secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      },
      labels: { team: 'a\u0085\u0001: "b"\nc' },
    },
  ],
  [
    'POST',
    '/workers',
    {
      queue: 'mail',
      endpoint: { url: 'https://a.example/jobs', method: 'POST', headers: HEADERS, signing: true },
      opts: { concurrency: 3 },
    },
  ],
  [
    'PUT',
    '/queues/mail/schedulers/nightly',
    {
      repeat: { pattern: '0 3 * * *' },
      job: { name: 'report', data: { a: ['001', 'yes', null] } },
    },
  ],
  ['PUT', '/queues/mail/groups/acme', { weight: 7, limiter: { max: 10, duration: 1000 } }],
  [
    'PUT',
    '/hooks/on-call',
    { url: 'https://a.example/hooks', events: ['worker.*'], headers: HEADERS },
  ],
];

describe('settings as files', () => {
  const services = new StartedServices();
  let service: ServiceProcess;
  const { ok, json } = commandLine(() => service.url);

  beforeEach(async () => {
    service = await services.start({ STORE: 'memory' });
  });
  afterEach(() => services.kill());

  // holds: settings.export
  it('are exported with the bodies of the API, without secrets', async () => {
    expect(await ok('export')).to.equal('# There are no settings\n');
    for (const [method, path, body] of BODIES)
      expect((await service.call(method, path, body)).status, path).to.equal(200);
    const text = await ok('export');
    expect(text).not.to.match(/secret|whsec_/);
    const documents = parseAllDocuments(text).map((each) => each.toJS() as unknown);
    expect(documents).to.deep.equal(await json('export'));
    const hidden = { Authorization: null };
    expect(documents).to.deep.equal([
      { kind: 'policy', spec: { maxWaiting: 1000 } },
      {
        kind: 'policy',
        queue: 'mail',
        spec: {
          defaults: { attempts: 3, callback: { url: 'https://a.example/done', headers: hidden } },
          callbacks: { origins: ['https://a.example'], signed: true },
          labels: { team: 'a\u0085\u0001: "b"\nc' },
        },
      },
      {
        kind: 'worker',
        queue: 'mail',
        spec: {
          endpoint: {
            url: 'https://a.example/jobs',
            method: 'post',
            headers: hidden,
            signing: true,
          },
          opts: { concurrency: 3 },
        },
      },
      {
        kind: 'scheduler',
        queue: 'mail',
        id: 'nightly',
        spec: {
          repeat: { pattern: '0 3 * * *', tz: 'UTC' },
          job: {
            name: 'report',
            data: { a: ['001', 'yes', null] },
            opts: {
              attempts: 3,
              callback: { url: 'https://a.example/done', headers: hidden },
            },
          },
          overlap: 'allow',
          paused: false,
        },
      },
      {
        kind: 'group',
        queue: 'mail',
        id: 'acme',
        spec: { weight: 7, limiter: { max: 10, duration: 1000 } },
      },
      {
        kind: 'hook',
        id: 'on-call',
        spec: {
          url: 'https://a.example/hooks',
          events: ['worker.*'],
          headers: hidden,
          signing: true,
          for: 60_000,
          repeat: null,
          format: 'standard',
          paused: false,
        },
      },
    ]);
  });
});
