import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import { HttpService, TOKEN } from './support/http-service.ts';
import { RawConnection, statusOf } from './support/raw-connection.ts';

const LIMIT = 2000;
const TOO_LARGE = 'The request body must be of at most 2000 bytes';

const head = (...headers: readonly string[]): string =>
  [
    'POST /queues/mail/jobs HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${TOKEN}`,
    ...headers,
    '\r\n',
  ].join('\r\n');

describe('Request bodies', () => {
  let service: HttpService;
  let connection: RawConnection;

  before(async () => {
    service = await new HttpService({ maxBodySize: LIMIT }).start();
  });

  after(() => service.stop());

  beforeEach(() => {
    connection = new RawConnection(service.server.port);
  });

  afterEach(() => {
    connection.close();
  });

  const post = (body: string | Buffer, headers = {}) =>
    service.request('POST', '/queues/mail/jobs', { body, headers });

  const jobOf = (bytes: number): string => {
    const empty = JSON.stringify([{ name: 'a', data: '' }]);
    return JSON.stringify([{ name: 'a', data: 'x'.repeat(bytes - empty.length) }]);
  };

  describe('sizes', () => {
    // holds: answers.too-large
    it('are accepted up to the limit, and no byte more', async () => {
      expect((await post(jobOf(LIMIT))).status).to.equal(200);
      const { status, text } = await post(jobOf(LIMIT + 1));
      expect([status, text]).to.deep.equal([413, TOO_LARGE]);
    });

    it('are refused unread when they are announced', async () => {
      const answer = await connection.send(head('Content-Length: 900000000000')).until(TOO_LARGE);
      expect(statusOf(answer)).to.equal(413);
      expect(answer).to.match(/connection: close/i);
    });

    it('are refused when they come in chunks, as soon as they exceed', async () => {
      connection.send(head('Transfer-Encoding: chunked'));
      for (let sent = 0; sent <= LIMIT; sent += 1000)
        connection.send(`3e8\r\n${'1'.repeat(1000)}\r\n`);
      expect(statusOf(await connection.until(TOO_LARGE))).to.equal(413);
    });

    it('are refused so that even a client that first sends everything can read the answer', async () => {
      const chunk = `10000\r\n${'1'.repeat(0x10000)}\r\n`;
      connection.send(head('Transfer-Encoding: chunked'));
      for (let count = 0; count < 100; count += 1) connection.send(chunk);
      connection.send('0\r\n\r\n');
      expect(statusOf(await connection.untilClosed())).to.equal(413);
    });

    it('may be reached in chunks', async () => {
      const body = jobOf(LIMIT);
      connection.send(head('Transfer-Encoding: chunked', 'Connection: close'));
      for (const part of [body.slice(0, 7), body.slice(7)]) {
        connection.send(`${part.length.toString(16)}\r\n${part}\r\n`);
      }
      expect(statusOf(await connection.send('0\r\n\r\n').untilClosed())).to.equal(200);
    });
  });

  describe('unread ones', () => {
    it('keep the connection when they are small', async () => {
      const request = head('Content-Length: 5').replace(TOKEN, 'wrong');
      await connection.send(`${request}12345`).until('401 Unauthorized');
      await connection.send(head('Content-Length: 2') + '[]').until('200 OK');
    });

    it('end the connection when they are large', async () => {
      const request = head(`Content-Length: ${LIMIT * 1000}`).replace(TOKEN, 'wrong');
      connection.send(request + '1'.repeat(LIMIT * 1000));
      const answer = await connection.untilClosed();
      expect(statusOf(answer)).to.equal(401);
      expect(answer).to.match(/connection: close/i);
    });
  });

  describe('of a client that waits for 100 Continue', () => {
    const expectant = (length: number): string =>
      head('Expect: 100-continue', `Content-Length: ${length}`);

    it('are requested when they are wanted', async () => {
      const continued = await connection.send(expectant(2)).until('\r\n\r\n');
      expect(statusOf(continued)).to.equal(100);
      expect(await connection.send('[]').until('200 OK')).to.match(/^HTTP\/1\.1 100 Continue/);
    });

    it('are not requested without a valid token, or when they are too large', async () => {
      const refused = await connection.send(expectant(2).replace(TOKEN, 'x')).untilClosed();
      expect(statusOf(refused)).to.equal(401);
      const second = new RawConnection(service.server.port).send(expectant(LIMIT + 1));
      expect(statusOf(await second.untilClosed())).to.equal(413);
    });
  });

  describe('encodings', () => {
    it('other than identity are refused', async () => {
      const { status, headers, text } = await post(gzipSync('[]'), { 'Content-Encoding': 'gzip' });
      expect([status, text]).to.deep.equal([415, 'The request body must not be compressed']);
      expect(headers.get('accept-encoding')).to.equal('identity');
      expect((await post('[]', { 'Content-Encoding': 'Identity' })).status).to.equal(200);
    });

    it('other than UTF-8 are refused', async () => {
      for (const bytes of [[0xff], [0x22, 0xe9, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22]]) {
        const { status, text } = await post(Buffer.from(bytes));
        expect([status, text]).to.deep.equal([400, 'The request body is not valid UTF-8']);
      }
    });

    it('with a byte order mark are read', async () => {
      expect((await post('\ufeff[]')).status).to.equal(200);
    });
  });

  describe('JSON', () => {
    it('is required', async () => {
      const { status, text } = await service.request('POST', '/queues/mail/jobs');
      expect([status, text]).to.deep.equal([
        400,
        'The request body is empty, expected a JSON array of jobs',
      ]);
    });

    for (const [body, words] of [
      ['[{"name":"a" "data":1}]', /: Expected .* at position 13/],
      ['[{"name":"a","data":1}', /: Expected .* at position 22/],
      ['[1] [2]', /: Unexpected .* at position 4/],
      ['[{"name":"a","data":1},]', /: Unexpected token/],
      ['name=a&data=1', /: Unexpected token/],
      [' ', /: Unexpected end/],
      ['\u0000', /: Unexpected token/],
      ['NaN', /: "NaN"$/],
    ] as const) {
      it(`must not be broken: ${JSON.stringify(body)}`, async () => {
        const { status, text } = await post(body);
        expect(status).to.equal(400);
        expect(text).to.match(/^The request body is not valid JSON: /);
        expect(text).to.match(words);
        expect(text).not.to.match(/\n\s+at |SyntaxError|\.ts/);
      });
    }

    const nested = (depth: number): string =>
      `[{"name":"a","data":${'['.repeat(depth - 2)}"]"${']'.repeat(depth - 2)}}]`;

    // holds: bounds.json
    it('is nested 500 levels deep at most', async () => {
      const roomy = await new HttpService().start();
      try {
        const add = (body: string) => roomy.request('POST', '/queues/mail/jobs', { body });
        expect((await add(nested(500))).status).to.equal(200);
        const { status, text } = await add(nested(501));
        expect([status, text]).to.deep.equal([
          400,
          'The request body is nested deeper than 500 levels',
        ]);
        expect((await add('['.repeat(5_000_000))).status).to.equal(400);
        expect((await add(nested(4_000_000))).status).to.equal(400);
        expect((await add(`${nested(501).slice(0, 1000)}!`)).status).to.equal(400);
        const wide = [{ name: 'a', data: Array.from({ length: 2000 }, () => [{}]) }];
        expect((await add(JSON.stringify(wide))).status).to.equal(200);
      } finally {
        await roomy.stop();
      }
    });

    // holds: bounds.json
    it('holds 500,000 values at most', async () => {
      const roomy = await new HttpService().start();
      try {
        const add = (body: string) => roomy.request('POST', '/queues/mail/jobs', { body });
        // The array, the job, its name and its data make four.
        const holding = (values: number, value: string): string =>
          `[{"name":"a","data":[${Array(values - 4)
            .fill(value)
            .join(',')}]}]`;
        for (const value of ['1', '""', 'null', '[]', '{"a":7}', '"a:b"', '-1.5e3', 'true']) {
          const count = value === '{"a":7}' ? 2 : 1;
          const most = 4 + (500_000 - 4) / count;
          expect((await add(holding(most, value))).status, value).to.equal(200);
          const { status, text } = await add(holding(most + 1, value));
          expect([status, text]).to.deep.equal([
            400,
            'The request body holds more than 500000 values',
          ]);
        }
      } finally {
        await roomy.stop();
      }
    });

    const tooLarge = 'is a number too large to be kept';
    const losesDigits = 'is an integer that would lose digits, send it as a string';
    for (const [value, path, words] of [
      ['1e400', '[0].data', tooLarge],
      ['{"a":[0,-1E+400]}', '[0].data.a[1]', tooLarge],
      [`1${'0'.repeat(250)}e99`, '[0].data', tooLarge],
      [`1${'0'.repeat(309)}.5`, '[0].data', tooLarge],
      ['1.8e308', '[0].data', tooLarge],
      [`{"e":"1e5","n":1${'0'.repeat(309)}}`, '[0].data.n', losesDigits],
      ['{"id":9007199254740993}', '[0].data.id', losesDigits],
      ['-9007199254740993', '[0].data', losesDigits],
      ['[0,{"":12345678901234567890}]', '[0].data[1].""', losesDigits],
      [
        '{"\\u0061\\"{[,":{"b":[[],{"c,d":90071992547409930}]}}',
        '[0].data.a"{[,.b[1].c,d',
        losesDigits,
      ],
    ] as const) {
      // holds: bounds.numbers
      it(`contains no number that a double cannot hold: ${value.slice(0, 30)}`, async () => {
        const { status, text } = await post(`[{"name":"a","data":${value}}]`);
        expect([status, text]).to.deep.equal([400, `${path} ${words}`]);
      });
    }

    it('is refused with ten numbers named at most, in order', async () => {
      const numbers = Array.from({ length: 12 }, () => '[12345678901234567]');
      const { text } = await post(`[{"name":"a","data":[${numbers.join(',')}]}]`);
      const lines = Array.from({ length: 10 }, (_, n) => `[0].data[${n}][0] ${losesDigits}`);
      expect(text).to.equal(lines.join('\n'));
    });

    for (const value of [
      '1e308',
      '1.5E-400',
      '[9007199254740992,-9007199254740992]',
      '0.12345678901234567890123',
      '12345678901234567890.5',
      '12345678901234567890e-2',
      '1.7976931348623157e308',
      '"12345678901234567890"',
      '{"12345678901234567890":1}',
      '"1e400"',
      '{"1e400":"\\"1e400"}',
      '[true,1e5,false]',
    ]) {
      it(`may contain ${value}`, async () => {
        expect((await post(`[{"name":"a","data":${value}}]`)).status).to.equal(200);
      });
    }
  });
});
