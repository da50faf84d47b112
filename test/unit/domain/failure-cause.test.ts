import { expect } from 'chai';
import { failureCause, statusInReason } from '../../../src/domain/jobs/failure-cause.ts';

const CAUSES: Readonly<Record<string, readonly string[]>> = {
  '': [''],
  'it broke': ['it broke'],
  'Order # not found': [
    'Order 17 not found',
    'Order 1,700.50 not found',
    'Order 6f1d3c1e-8f5b-4c57-9d53-0e9a3a1c7f10 not found',
    'Order 6F1D3C1E-8F5B-4C57-9D53-0E9A3A1C7F10 not found',
    'Order deadbeef-dead-beef-dead-beefdeadbeef not found',
    'Order 507f1f77bcf86cd799439011 not found',
    'Order 0xcafe not found',
    'Order 01JD9ZQ3M5T7V9X1B3D5F7H9K1 not found',
    'Order ada@example.com not found',
    'Order ada.lovelace+tag@mail.example.co.uk not found',
  ],
  'timed out after #ms': ['timed out after 300ms', 'timed out after 30000ms'],
  'ECONNREFUSED http://host:3000': ['ECONNREFUSED http://host:3000'],
  'connect ECONNREFUSED 127.0.0.1:4000 after # tries': [
    'connect ECONNREFUSED 127.0.0.1:4000 after 3 tries',
  ],
  'connect ECONNREFUSED ::1:4000': ['connect ECONNREFUSED ::1:4000'],
  'no answer from localhost:4001 or [fd00::2]:80': [
    'no answer from localhost:4001 or [fd00::2]:80',
  ],
  'GET https://api-7.example.com:8443/orders/# failed': [
    'GET https://api-7.example.com:8443/orders/17 failed',
  ],
  'order:# of # at line:#': ['order:4000 of 10.0.0.1 at line:17', 'order:7 of 10.0.0.2 at line:1'],
  'at #-#-#T#:#:#Z': ['at 2026-11-22T04:57:01.123Z', 'at 2025-1-2T3:4:5Z'],
  'No file “…”, "…", \'…\', `…` or «…»': [
    'No file “a”, "b", \'c\', `d` or «e»',
    'No file “one two”, "say 12", \'it\', `x.png` or «»',
  ],
  'Unexpected token in "…"': ['Unexpected token in "{...', 'Unexpected token in "a"'],
  "can't read it": ["can't read it"],
  "don't use '…'": ["don't use 'that'", "don't use 'this one'"],
  'HTTP 503 Service Unavailable': ['HTTP 503 Service Unavailable'],
  'HTTP 599': ['HTTP 599'],
  'HTTP # is no status': ['HTTP 9000 is no status', 'HTTP 12 is no status'],
  'Zahl # fehlt': ['Zahl ٣٤ fehlt', 'Zahl 5 fehlt'],
};

describe('The cause of a failure', () => {
  for (const [cause, reasons] of Object.entries(CAUSES)) {
    for (const reason of reasons) {
      // holds: failures.masked
      it(`of ${JSON.stringify(reason)} is ${JSON.stringify(cause)}`, () => {
        expect(failureCause(reason)).to.equal(cause);
      });
    }
  }

  // holds: failures.masked
  it('stays the same when it is searched for once more', () => {
    for (const cause of Object.keys(CAUSES)) expect(failureCause(cause)).to.equal(cause);
  });

  it('considers only the beginning of a reason', () => {
    expect(failureCause('x'.repeat(1024) + ' 17')).to.equal('x'.repeat(1024));
    expect(failureCause('x'.repeat(1023) + '😀')).to.equal(`${'x'.repeat(1023)}\ufffd`);
  });

  for (const [name, piece] of Object.entries({
    quotes: '\'"a',
    letters: 'a',
    addresses: 'a@',
    'parts of addresses': 'a.',
    hexadecimal: 'a1',
    dashes: '0a-',
    numbers: '1.',
  })) {
    it(`takes little time for many ${name}`, () => {
      const reason = piece.repeat(1024);
      const begun = performance.now();
      for (let round = 0; round < 20; round += 1) failureCause(reason);
      expect(performance.now() - begun).to.be.below(200);
    });
  }
});

describe('The status in a reason', () => {
  for (const [reason, status] of [
    ['HTTP 503 Service Unavailable', 503],
    ['HTTP 404', 404],
    ['HTTP 4040', undefined],
    ['HTTP 99', undefined],
    ['Not HTTP 404', undefined],
    ['it broke', undefined],
    ['', undefined],
  ] as const) {
    // holds: failures.status
    it(`of ${JSON.stringify(reason)} is ${status}`, () => {
      expect(statusInReason(reason)).to.equal(status);
    });
  }
});
