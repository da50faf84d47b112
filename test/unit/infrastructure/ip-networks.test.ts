import { expect } from 'chai';
import { IpNetworks } from '../../../src/infrastructure/ip-networks.ts';

describe('IpNetworks', () => {
  const networks = new IpNetworks();

  for (const [text, isNetwork] of [
    ['10.0.0.0/8', true],
    ['10.1.2.3', true],
    ['fd00::/8', true],
    ['::1', true],
    ['10.1', false],
    ['0x0a.1.2.3', false],
    ['10.0.0.0/33', false],
    ['example.com', false],
    ['', false],
  ] as const) {
    it(`${isNetwork ? 'takes' : 'refuses'} "${text}"`, () => {
      expect(networks.isNetwork(text)).to.equal(isNetwork);
    });
  }

  for (const [address, network, isWithin] of [
    ['10.1.2.3', '10.0.0.0/8', true],
    ['11.1.2.3', '10.0.0.0/8', false],
    ['::ffff:10.1.2.3', '10.0.0.0/8', true],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.4', '10.1.2.3', false],
    ['::1', '10.0.0.0/8', false],
    ['fd00::1', 'fd00::/8', true],
    ['127.0.0.1', '::1', false],
    ['', '0.0.0.0/0', false],
  ] as const) {
    it(`says that "${address}" is ${isWithin ? '' : 'not '}within ${network}`, () => {
      expect(networks.isWithin(address, ['192.0.2.0/24', network])).to.equal(isWithin);
    });
  }
});
