import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { Nginx } from '../../support/nginx.ts';
import { HttpService, TOKEN } from './support/http-service.ts';

/** The address of nginx and that of the client behind it. */
const [PROXY, CLIENT] = ['127.0.0.1', '127.0.0.2'];

/** What a client writes who wants to be taken for another, over TLS. */
const FORGED = { 'X-Forwarded-For': '203.0.113.7', 'X-Forwarded-Proto': 'https' };

describe('The shipped nginx.conf', () => {
  let service: HttpService;
  let nginx: Nginx;

  beforeEach(async () => {
    service = await new HttpService({ proxies: [PROXY] }).start();
    nginx = await Nginx.start([Number(new URL(service.url).port)]);
  });
  afterEach(async () => {
    await nginx.stop();
    await service.stop();
  });

  /** A request with forged headers through nginx, from the address of the client. */
  const forge = async (method: string, path: string, token = TOKEN) => {
    const sent = request(`${nginx.origin}${path}`, {
      method,
      localAddress: CLIENT,
      agent: false,
      headers: { Authorization: `Bearer ${token}`, ...FORGED },
    }).end();
    return new Promise<{ status: number | undefined; cookie: string; body: string }>(
      (resolve, reject) => {
        sent.once('error', reject).once('response', (response) => {
          const { statusCode: status, headers } = response;
          const cookie = headers['set-cookie']?.join() ?? '';
          text(response).then((body) => resolve({ status, cookie, body }), reject);
        });
      },
    );
  };

  // holds: access.proxies
  it('has the audit record the address of a client that forges another', async () => {
    expect((await forge('POST', '/queues/mail/pause')).status).to.equal(200);
    const { text: page } = await service.request('GET', '/audit?action=queue.pause');
    const { entries } = JSON.parse(page) as { entries: { address: string }[] };
    expect(entries.map(({ address }) => address)).to.deep.equal([CLIENT]);
  });

  // holds: access.proxies
  it('lets nobody forge an address that a token is limited to', async () => {
    const make = async (address: string): Promise<string> => {
      const body = JSON.stringify({
        name: address,
        rights: ['read'],
        addresses: [`${address}/32`],
      });
      const { text: made } = await service.request('POST', '/tokens', { body });
      return (JSON.parse(made) as { token: string }).token;
    };
    const [forged, own] = [await make(FORGED['X-Forwarded-For']), await make(CLIENT)];
    expect((await forge('GET', '/queues', forged)).status).to.equal(401);
    expect((await forge('GET', '/queues', own)).status).to.equal(200);
  });

  // holds: access.proxies
  it('sends the scheme of its own connection, not the one that a client writes', async () => {
    const { status, cookie } = await forge('POST', '/sessions');
    expect(status).to.equal(204);
    expect(cookie).to.match(/^jobgate-session=/);
  });
});
