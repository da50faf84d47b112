import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';

const endpoint = { url: 'https://a.example/jobs', method: 'post', headers: { 'X-Key': 'secret' } };
const hidden = { 'X-Key': '[redacted]' };

/** Requests that store a setting, with what a dry run answers among other things, and a body with a mistake. */
const SETTINGS = [
  ['PUT', '/policy', '/policy', { maxWaiting: 5 }, { maxWaiting: 5 }, { maxWaiting: -1 }],
  [
    'PUT',
    '/queues/mail/policy',
    '/queues/mail/policy',
    { callbacks: { origins: [], signed: true } },
    { callbacks: { origins: [], signed: true } },
    { window: { open: [{ from: '22:00', to: '23:00' }], tz: 'Nowhere' } },
  ],
  [
    'POST',
    '/workers',
    '/workers/mail',
    { queue: 'mail', endpoint: { ...endpoint, signing: true } },
    { queue: 'mail', endpoint: { ...endpoint, signing: true, headers: hidden } },
    { queue: 'mail', endpoint: { ...endpoint, url: 'ftp://a' } },
  ],
  [
    'PUT',
    '/queues/mail/schedulers/nightly',
    '/queues/mail/schedulers/nightly',
    { repeat: { pattern: '0 3 * * *' }, job: { name: 'a', data: 1 } },
    { id: 'nightly', repeat: { pattern: '0 3 * * *', tz: 'UTC' } },
    { repeat: { pattern: '99 3 * * *' }, job: { name: 'a', data: 1 } },
  ],
  [
    'PUT',
    '/queues/mail/groups/acme',
    '/queues/mail/groups/acme',
    { weight: 7 },
    { id: 'acme', waiting: 0, settings: { weight: 7 } },
    { expires: 1 },
  ],
  [
    'PUT',
    '/hooks/on-call',
    '/hooks/on-call',
    { url: endpoint.url, events: ['worker.*'], headers: endpoint.headers },
    { id: 'on-call', headers: hidden, signing: true, format: 'standard' },
    { url: endpoint.url, events: ['queue.late'] },
  ],
] as const;

describe('A dry run of a setting', () => {
  let service: HttpService;

  before(async () => {
    service = await new HttpService().start();
  });
  after(() => service.stop());

  for (const [method, path, stored, body, answer, mistake] of SETTINGS) {
    // holds: settings.dry-run
    it(`answers what ${method} ${path} would store, or refuses it, and stores nothing`, async () => {
      const dry = await service.request(method, `${path}?dryRun=true`, { body });
      expect(dry.status, dry.text).to.equal(200);
      expect(JSON.parse(dry.text)).to.deep.include(answer).and.not.to.have.property('secret');
      expect((await service.request('GET', stored)).status).to.equal(404);
      const refused = await service.request(method, `${path}?dryRun=true`, { body: mistake });
      const real = await service.request(method, path, { body: mistake });
      expect([refused.status, refused.text]).to.deep.equal([400, real.text]);
      const audit = await service.request('GET', '/audit');
      expect(JSON.parse(audit.text)).to.have.property('entries').that.is.empty;
    });
  }
});
