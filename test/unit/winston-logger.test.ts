import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { WinstonLogger } from '../../src/adapters/outbound/winston/winston-logger.ts';
import type { LogFields, LoggerPort } from '../../src/application/ports/logger-port.ts';

type Style = 'json' | 'pretty';

/** The output of the logger while `log` uses it. */
function written(
  format: Style,
  log: (logger: LoggerPort) => void,
  { debug = false, colours = true } = {},
): string {
  const stream = new PassThrough({ encoding: 'utf8' });
  log(new WinstonLogger({ debug, format, colours, instance: 'host:7', stream }));
  return (stream.read() as string | null) ?? '';
}

function json(fields: LogFields, message = 'hello'): Record<string, unknown> {
  const line = written('json', (logger) => {
    logger.info(message, fields);
  });
  expect(line.match(/\n/g)).to.have.lengthOf(1);
  return JSON.parse(line) as Record<string, unknown>;
}

function pretty(fields: LogFields, message = 'hello'): string {
  return written('pretty', (logger) => {
    logger.info(message, fields);
  });
}

describe('WinstonLogger', () => {
  describe('in JSON', () => {
    it('writes one object a line, with time, level, message, instance and fields', () => {
      const { time, ...rest } = json({ queue: 'paint', jobs: 3 });
      const own = { level: 'info', message: 'hello', instance: 'host:7' };
      expect(rest).to.deep.equal({ ...own, queue: 'paint', jobs: 3 });
      expect(new Date(time as string).toISOString()).to.equal(time);
    });

    it('keeps its own values when fields have the same names', () => {
      const line = json({ level: 'error', message: 'other', time: 'never', instance: 'x' });
      expect(line).to.include({ level: 'info', message: 'hello', instance: 'host:7' });
      expect(line['time']).not.to.equal('never');
    });

    it('writes errors with message, code, stack and cause', () => {
      const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
      const error = json({ error: new Error('no store', { cause }) })['error'] as LogFields;
      expect(error['message']).to.equal('no store');
      expect(error['stack']).to.match(/^Error: no store\n +at /);
      expect(error['cause']).to.include({ message: 'refused', code: 'ECONNREFUSED' });
    });

    // holds: security.log-lines
    it('writes an object as the error, for any thrown value', () => {
      for (const [thrown, message] of [
        ['words', 'words'],
        [undefined, 'undefined'],
        [{ reason: 'other' }, '{"reason":"other"}'],
        [7, '7'],
      ] as const) {
        expect(json({ error: thrown })['error']).to.deep.equal({ message });
      }
      const chosen = { message: 'chosen', code: 'X' };
      expect(json({ error: chosen })['error']).to.deep.equal(chosen);
    });

    it('identifies an error without a message by its code', () => {
      const error = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' });
      expect(json({ error })['error']).to.include({ message: 'ECONNREFUSED' });
      expect(json({ error: new RangeError() })['error']).to.include({ message: 'RangeError' });
    });

    it('writes any value', () => {
      const circle: Record<string, unknown> = { name: 'circle' };
      circle['self'] = circle;
      const unreadable = {
        get field(): string {
          throw new Error('no');
        },
      };
      let deep: unknown = 'bottom';
      for (let n = 0; n < 20; n += 1) deep = [deep];
      const line = json({
        circle,
        unreadable,
        deep,
        big: 12n,
        date: new Date(0),
        wrongDate: new Date(NaN),
        url: new URL('http://host/path'),
        map: new Map([['a', new Set([1])]]),
        bytes: Buffer.from('abc'),
        code: () => 1,
        twice: [circle['name'], circle['name']],
        nothing: undefined,
      });
      expect(JSON.stringify(line['deep'])).to.contain('[deep]').and.not.to.contain('bottom');
      expect(line).to.deep.include({
        circle: { name: 'circle', self: '[circular]' },
        unreadable: '[unreadable]',
        big: '12',
        date: '1970-01-01T00:00:00.000Z',
        wrongDate: null,
        url: 'http://host/path',
        map: { a: [1] },
        bytes: '[3 bytes]',
        code: '[function]',
        twice: ['circle', 'circle'],
      });
    });
  });

  describe('for people', () => {
    it('writes one coloured line with the fields behind the message', () => {
      const line = pretty({ queue: 'paint', text: 'two words', list: [1], none: null });
      expect(line).to.match(
        // eslint-disable-next-line no-control-regex
        /^\d\d:\d\d:\d\d\.\d{3} \u001b\[32mINFO \u001b\[39m hello queue=paint text="two words" list=\[1\] none=null\n$/,
      );
    });

    it('writes no colours unless the output is a terminal', () => {
      const hello = (logger: LoggerPort): void => {
        logger.info('hello', { queue: 'paint' });
      };
      expect(written('pretty', hello, { colours: false })).to.match(
        /^\d\d:\d\d:\d\d\.\d{3} INFO {2}hello queue=paint\n$/,
      );
    });

    it('writes the message of an error, and its stack only at level error or with debug on', () => {
      const fields = { error: new Error('broken', { cause: new Error('deeper') }) };
      expect(pretty(fields)).to.match(/ hello error=broken\n$/);
      expect(pretty({ error: { message: 'broken' } })).to.match(/ hello error=broken\n$/);
      const withStack = / hello error=broken\n {4}Error: broken\n( {8}at .*\n)+ {4}Error: deeper\n/;
      const onError = written('pretty', (logger) => {
        logger.error('hello', fields);
      });
      expect(onError).to.match(withStack);
      const onDebug = written(
        'pretty',
        (logger) => {
          logger.info('hello', fields);
        },
        { debug: true },
      );
      expect(onDebug).to.match(withStack);
    });
  });

  describe('in either format', () => {
    for (const format of ['json', 'pretty'] as const) {
      it(`redacts secrets at any depth, in ${format}`, () => {
        const secret = 'opensesame';
        const text = written(format, (logger) => {
          logger.error('hello', {
            token: secret,
            AUTH_TOKENS: [secret],
            password: new Error(secret),
            request: { headers: { accept: secret }, deep: [{ Authorization: secret }] },
            map: new Map([['jobToken', secret]]),
          });
        });
        expect(text).not.to.contain(secret);
        expect(text.match(/\[redacted\]/g)).to.have.lengthOf(6);
      });

      // holds: log.changes
      it(`shows which token made a change, in ${format}`, () => {
        const text = written(format, (logger) => {
          logger.info('Token revoked', { tokenId: 'Xy12', token: 'Xy12.opensesame' });
        });
        expect(text).to.match(/tokenId\W+Xy12\b(?!\.)/);
        expect(text).not.to.contain('opensesame');
      });

      it(`lets no text forge a line or control a terminal, in ${format}`, () => {
        const evil = 'a\nb\r\u001b[2Jc\u009bd\u2028e\u007f\u0000';
        const text = written(format, (logger) => {
          logger.info(evil, { field: evil, [evil]: 1, nested: { [evil]: [evil] } });
        });
        // eslint-disable-next-line no-control-regex
        const plain = text.replace(/^(\S+ )\u001b\[32m(\w+ *)\u001b\[39m/, '$1$2');
        // eslint-disable-next-line no-control-regex
        expect(plain).to.match(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+\n$/);
      });

      it(`lets no stack forge a line, in ${format}`, () => {
        const text = written(format, (logger) => {
          logger.error('hello', { error: new Error('x\n00:00:00.000 INFO forged\u001b[2J') });
        });
        const [, ...more] = text.trimEnd().split('\n');
        for (const line of more) expect(line).to.match(/^ {4}/).and.not.to.contain('\u001b');
      });

      it(`writes debug lines only on debug, in ${format}`, () => {
        const debug = (logger: LoggerPort): void => {
          logger.debug('details');
        };
        expect(written(format, debug)).to.equal('');
        expect(written(format, debug, { debug: true }))
          .to.contain('details')
          .and.match(/debug/i);
      });

      it(`names the level of each line, in ${format}`, () => {
        const text = written(format, (logger) => {
          logger.info('a');
          logger.warn('b');
          logger.error('c');
        });
        expect(text).to.match(/info.*\n.*warn.*\n.*error.*\n/i);
      });
    }
  });
});
