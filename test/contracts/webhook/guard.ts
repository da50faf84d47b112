import { expect } from 'chai';
import {
  AddressGuard,
  type OutboundRules,
  type Resolve,
} from '../../../src/adapters/outbound/webhook/guard/address-guard.ts';
import { EndpointCallError } from '../../../src/application/ports/webhook-port.ts';
import { answer, type EndpointServer } from '../../support/endpoint-server.ts';
import { rejection } from '../../support/rejection.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { WebhookCaller, type CreateWebhook } from '../webhook-caller.ts';

/** Refused whatever the policy: link-local addresses and those that stand for one, however spelled. */
const LINK_LOCAL = [
  '169.254.169.254',
  '169.254.169.254.',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '169.254.43518',
  '１６９.254.169.254',
  '[fe80::1]',
  '[febf::1]',
  '[fd00:ec2::254]',
  '[FD00:0EC2:0:0:0:0:0:0254]',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[::169.254.169.254]',
  '[::ffff:0:169.254.169.254]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b:1::169.254.169.254]',
  '[2002:a9fe:a9fe::1]',
  '[fd20:ce::254]',
  '[fd20:00ce:0:0::254]',
  '100.100.100.200',
  '0x646464c8',
  '192.0.0.192',
  '[::ffff:192.0.0.192]',
  // Teredo: the server, then the host behind it.
  '[2001:0:a9fe:a9fe::1]',
  '[2001:0:808:808:0:0:5601:5601]',
  '[2001:0:808:808:8000:63bf:9b9b:9b37]',
  // ISATAP
  '[2606:4700::5efe:169.254.169.254]',
  '[fd12::200:5efe:6464:64c8]',
];

/** Refused where only public addresses are allowed. */
const NOT_PUBLIC = [
  '127.0.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '127.1',
  '0',
  '0.1.2.3',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:0:10.0.0.1]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b:1::1]',
  '[100::1]',
  '[2001::1]',
  '[2001:2::1]',
  '[2001:20::1]',
  '[2606:4700::5efe:10.0.0.1]',
  '[2001:db8::1]',
  '[2002:7f00:1::]',
  '[2002:808:808::]',
  '[3fff::1]',
  '[4000::1]',
  '[5f00::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[fec0::1]',
  '[ff02::1]',
  'localhost',
];

const METHODS = ['post', 'get'] as const;

export function describeGuard(create: CreateWebhook): void {
  describe('the outbound guard', () => {
    const callers: WebhookCaller[] = [];

    afterEach(() => Promise.all(callers.splice(0).map((caller) => caller.close())));

    function guarded(rules: Partial<OutboundRules>, resolve?: Resolve): WebhookCaller {
      const all = { policy: 'any', allow: [], deny: [], ...rules } as const;
      const caller = new WebhookCaller(create, new AddressGuard(all, silentLogger, resolve));
      callers.push(caller);
      return caller;
    }

    async function expectRefused(caller: WebhookCaller, url: string): Promise<void> {
      for (const method of METHODS) {
        const error = await rejection(caller.call(url, { method }));
        expect(error).to.be.instanceOf(EndpointCallError);
        expect(error).to.include({
          message: 'Address not allowed',
          outcome: 'refused',
          final: true,
        });
      }
    }

    async function expectAnswered(caller: WebhookCaller, url: string): Promise<void> {
      for (const method of METHODS) {
        expect((await caller.call(url, { method })).body).to.equal('here');
      }
    }

    for (const policy of ['any', 'public'] as const) {
      for (const host of LINK_LOCAL) {
        // holds: guard.link-local, guard.spellings
        it(`refuses ${host} where ${policy} is allowed`, async () => {
          await expectRefused(guarded({ policy }), `http://${host}/`);
        });
      }
    }

    for (const host of NOT_PUBLIC) {
      // holds: guard.public, guard.spellings
      it(`refuses ${host} where only public addresses are allowed`, async () => {
        await expectRefused(guarded({ policy: 'public' }), `http://${host}/`);
      });
    }

    // holds: guard.public
    it('refuses an https endpoint as any other', async () => {
      await expectRefused(guarded({ policy: 'public' }), 'https://127.0.0.1/');
      await expectRefused(guarded({ policy: 'public' }), 'https://localhost/');
    });

    // holds: guard.no-connection
    it('opens no connection for a refused call', async () => {
      const { endpoint, port } = await server(guarded({}));
      const deny = guarded({ deny: ['127.0.0.0/8'] }, resolvesTo('127.0.0.1'));
      await expectRefused(deny, endpoint.url);
      await expectRefused(deny, `http://endpoint.test:${port}/`);
      expect(endpoint.connectionsMade).to.equal(0);
    });

    // holds: guard.lists
    it('calls loopback where anything is allowed, and where it is allowed beside the public', async () => {
      for (const rules of [
        {},
        { policy: 'public', allow: ['127.0.0.0/8'] },
        { policy: 'public', allow: ['127.0.0.1'] },
      ] as const) {
        const { endpoint } = await server(guarded(rules));
        await expectAnswered(callers.at(-1)!, endpoint.url);
      }
    });

    // holds: guard.lists
    it('calls a name that is allowed, whatever it resolves to', async () => {
      const caller = guarded({ policy: 'public', allow: ['*.internal'] }, resolvesTo('127.0.0.1'));
      const { port } = await server(caller);
      await expectAnswered(caller, `http://Jobs.Internal.:${port}/`);
      await expectRefused(caller, `http://internal:${port}/`);
    });

    // holds: guard.lists
    it('never resolves a name that is denied', async () => {
      const hosts: string[] = [];
      const caller = guarded({ deny: ['*.internal'], allow: ['*.internal', '*'] }, (host) => {
        hosts.push(host);
      });
      await expectRefused(caller, 'http://metadata.google.internal./');
      expect(hosts).to.deep.equal([]);
    });

    // holds: guard.several-addresses
    it('refuses a name when one of its addresses is refused', async () => {
      for (const addresses of [
        ['127.0.0.1', '169.254.169.254'],
        ['fe80::1%lo', '127.0.0.1'],
      ]) {
        const caller = guarded({}, resolvesTo(...addresses));
        const { endpoint, port } = await server(caller);
        await expectRefused(caller, `http://endpoint.test:${port}/`);
        expect(endpoint.connectionsMade).to.equal(0);
      }
    });

    // holds: guard.rebinding
    it('judges a name each time that a connection is opened', async () => {
      const answers = [['127.0.0.1'], ['127.0.0.1'], ['169.254.169.254'], ['::ffff:a9fe:a9fe']];
      const caller = guarded({}, (host, options, callback) => {
        resolvesTo(...answers.shift()!)(host, options, callback);
      });
      const { endpoint, port } = await server(caller, { connection: 'close' });
      await expectAnswered(caller, `http://endpoint.test:${port}/`);
      await expectRefused(caller, `http://endpoint.test:${port}/`);
      expect(endpoint.connectionsMade).to.equal(2);
    });

    // holds: guard.kept
    it('asks no resolver for a connection that is kept', async () => {
      let asked = 0;
      const caller = guarded({}, (host, options, callback) => {
        asked += 1;
        resolvesTo('127.0.0.1')(host, options, callback);
      });
      const { port } = await server(caller);
      for (let n = 0; n < 5; n += 1) await caller.call(`http://endpoint.test:${port}/`);
      expect(asked).to.equal(1);
    });

    // holds: guard.redirects
    it('follows no redirect, wherever it leads', async () => {
      const caller = guarded({});
      const endpoint = await caller.endpoint(
        answer(307, 'moved', { location: 'http://169.254.169.254/' }),
      );
      for (const method of METHODS) {
        expect((await caller.call(endpoint.url, { method })).status).to.equal(307);
      }
    });

    // holds: guard.proxies
    it('uses no proxy that the environment names', async () => {
      const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY'];
      const before = names.map((name) => [name, process.env[name]] as const);
      for (const name of names) process.env[name] = 'http://169.254.169.254:3128';
      try {
        const caller = guarded({});
        const { endpoint } = await server(caller);
        await expectAnswered(caller, endpoint.url);
        await expectRefused(guarded({ policy: 'public' }), endpoint.url);
      } finally {
        for (const [name, value] of before) {
          if (value === undefined) Reflect.deleteProperty(process.env, name);
          else process.env[name] = value;
        }
      }
    });
  });
}

async function server(
  caller: WebhookCaller,
  headers = {},
): Promise<{ endpoint: EndpointServer; port: string }> {
  const endpoint = await caller.endpoint(answer(200, 'here', headers));
  return { endpoint, port: new URL(endpoint.url).port };
}

/** A resolver that knows every name. */
function resolvesTo(...addresses: readonly string[]): Resolve {
  return (_host, _options, callback) => {
    setImmediate(() => {
      const found = addresses.map((address) => ({
        address,
        family: address.includes(':') ? 6 : 4,
      }));
      callback(null, found);
    });
  };
}
