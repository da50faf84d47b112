import { expect } from 'chai';
import {
  AddressGuard,
  type OutboundRules,
} from '../../../src/adapters/outbound/webhook/guard/address-guard.ts';
import type { LogFields } from '../../../src/application/ports/logger-port.ts';
import { silentLogger } from '../../support/silent-logger.ts';

/** Which addresses a guard refuses, with `host` resolving to each in turn. */
function refused(
  rules: Partial<OutboundRules>,
  addresses: readonly string[],
  host = 'endpoint.test',
): readonly string[] {
  return addresses.filter((address) => {
    const errors: unknown[] = [];
    const guard = guardOf(rules, (_host, _options, callback) => {
      callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
    });
    guard.lookup(host, { all: true }, (error) => errors.push(error));
    return errors[0] !== null;
  });
}

function guardOf(
  rules: Partial<OutboundRules>,
  resolve?: ConstructorParameters<typeof AddressGuard>[2],
  logger = silentLogger,
): AddressGuard {
  return new AddressGuard({ policy: 'any', allow: [], deny: [], ...rules }, logger, resolve);
}

const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '2606:4700::1111',
  '2a00:1450:4001:800::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
];

const SPELLINGS_OF_10_1_2_3 = [
  '10.1.2.3',
  '::ffff:10.1.2.3',
  '::10.1.2.3',
  '2002:a01:203::1',
  // Teredo: of its server, and of the host behind it.
  '2001:0:a01:203::1',
  '2001:0:808:808::f5fe:fdfc',
  // ISATAP
  '2606:4700::5efe:10.1.2.3',
  'fd12::200:5efe:10.1.2.3',
];

const LOCAL = ['127.0.0.1', '10.1.2.3', '::1', 'fd12::1', '64:ff9b::10.1.2.3', 'fe80::1%eth0'];

const METADATA = [
  '169.254.169.254',
  'fd00:ec2::254',
  '::ffff:169.254.169.254',
  'fd20:ce::254',
  '100.100.100.200',
  '192.0.0.192',
];

describe('AddressGuard', () => {
  // holds: guard.public
  it('lets public addresses through, as such and in IPv6', () => {
    expect(refused({ policy: 'public' }, PUBLIC)).to.deep.equal([]);
  });

  // holds: guard.public
  it('refuses all others where only public ones are allowed', () => {
    expect(refused({ policy: 'public' }, LOCAL)).to.deep.equal(LOCAL);
  });

  // holds: guard.link-local
  it('refuses by default only link-local addresses and those of metadata services', () => {
    const all = [...PUBLIC, ...LOCAL, ...METADATA];
    expect(refused({}, all)).to.deep.equal(['fe80::1%eth0', ...METADATA]);
  });

  // holds: guard.link-local
  it("refuses a resolver's answer that is not an address", () => {
    expect(refused({}, ['', 'localhost', '1.2.3'])).to.have.lengthOf(3);
  });

  const lists: readonly (readonly [
    what: string,
    rules: Partial<OutboundRules>,
    addresses: readonly string[],
    refused: readonly string[],
  ])[] = [
    [
      'a network that is allowed beside the public ones',
      { policy: 'public', allow: ['10.1.0.0/16'] },
      ['10.1.2.3', '10.2.0.1', '::ffff:10.1.2.3', '64:ff9b::10.1.2.3'],
      ['10.2.0.1'],
    ],
    [
      'an address that is allowed',
      { policy: 'public', allow: ['::1', '127.0.0.1'] },
      ['::1', '127.0.0.1', '127.0.0.2'],
      ['127.0.0.2'],
    ],
    [
      'a network that is denied, in whatever spelling',
      { deny: ['10.0.0.0/8'] },
      [...SPELLINGS_OF_10_1_2_3, '11.0.0.1', '2606:4700::5efe:b00:1'],
      SPELLINGS_OF_10_1_2_3,
    ],
    [
      'a network of IPv6 that is denied',
      { deny: ['2001:db8::/32', '64:ff9b::/96'] },
      ['2001:db8::1', '64:ff9b::8.8.8.8', '8.8.8.8'],
      ['2001:db8::1', '64:ff9b::8.8.8.8'],
    ],
    [
      'what is both, which is denied',
      { allow: ['10.0.0.0/8'], deny: ['10.1.0.0/16'] },
      ['10.1.2.3', '10.2.0.1'],
      ['10.1.2.3'],
    ],
    [
      'what is denied and allowed by the same entry',
      { allow: ['169.254.169.254'], deny: ['169.254.169.254'] },
      ['169.254.169.254'],
      ['169.254.169.254'],
    ],
    [
      'link-local addresses that are allowed',
      { allow: ['169.254.169.0/24'] },
      METADATA,
      ['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '192.0.0.192'],
    ],
    [
      'link-local addresses in a large network that is allowed, which does not mean them',
      { allow: ['0.0.0.0/0', '::/0', '*'] },
      [...METADATA, 'fe80::1'],
      [...METADATA, 'fe80::1'],
    ],
    [
      'a name that is allowed and means one host alone',
      { policy: 'public', allow: ['endpoint.test'] },
      [...LOCAL, ...METADATA],
      [],
    ],
    [
      'a name that is allowed with others',
      { policy: 'public', allow: ['*.test'] },
      [...LOCAL, ...METADATA],
      ['fe80::1%eth0', ...METADATA],
    ],
    ['names of which one is denied', { allow: ['*'], deny: ['*.TEST.'] }, ['8.8.8.8'], ['8.8.8.8']],
  ];
  for (const [what, rules, addresses, expected] of lists) {
    // holds: guard.lists
    it(`judges ${what}`, () => {
      expect(refused(rules, addresses)).to.deep.equal(expected);
    });
  }

  // holds: guard.lists
  it('reads names in other scripts as URLs do', () => {
    expect(
      refused({ deny: ['*.Exämple.com'] }, ['8.8.8.8'], 'a.xn--exmple-cua.com'),
    ).to.have.lengthOf(1);
  });

  it('answers a lookup for one address, and passes on that none was found', () => {
    const found: unknown[] = [];
    guardOf({}, (_host, options, callback) => {
      found.push(options.all);
      callback(null, [{ address: '127.0.0.1', family: 4 }]);
    }).lookup('endpoint.test', { family: 4 }, (...answer) => found.push(answer));
    guardOf({}, (_host, _options, callback) => {
      callback(new Error('ENOTFOUND'), []);
    }).lookup('endpoint.test', {}, (error) => found.push(error?.message));
    expect(found).to.deep.equal([true, [null, '127.0.0.1', 4], 'ENOTFOUND']);
  });

  // holds: guard.log
  it('logs a refused host once, with the address', () => {
    const lines: (LogFields | undefined)[] = [];
    const logger = {
      ...silentLogger,
      warn: (_message: string, fields?: LogFields) => void lines.push(fields),
    };
    const resolve = ((_host, _options, callback) => {
      callback(null, [{ address: '10.0.0.1', family: 4 }]);
    }) satisfies ConstructorParameters<typeof AddressGuard>[2];
    const guard = guardOf({ policy: 'public', deny: ['*.invalid'] }, resolve, logger);
    for (let n = 0; n < 3; n += 1) {
      guard.lookup('endpoint.test', { all: true }, () => undefined);
      expect(() => {
        guard.checkHost('[::1]');
      }).to.throw('Address not allowed');
      expect(() => {
        guard.checkHost('a.invalid');
      }).to.throw('Address not allowed');
    }
    expect(lines).to.deep.equal([
      { host: 'endpoint.test', address: '10.0.0.1' },
      { host: '::1', address: '::1' },
      { host: 'a.invalid' },
    ]);
  });
});
