import { expect } from 'chai';
import {
  deliveryOutcome,
  type DeliveryOutcome,
  type EndpointAnswer,
} from '../../../src/domain/calls/delivery.ts';
import type { Json } from '../../../src/domain/values/json.ts';

interface Answered extends Partial<Omit<EndpointAnswer, 'headers'>> {
  readonly contentType?: string;
}

const answer = ({ contentType = 'application/json', ...fields }: Answered): EndpointAnswer => ({
  status: 200,
  statusText: '',
  headers: { 'content-type': contentType },
  body: '',
  ...fields,
});

/** The outcome at an endpoint, with the statuses that it names as completing a job, if any. */
const outcomeOf = (answered: EndpointAnswer, success?: readonly string[]): DeliveryOutcome =>
  deliveryOutcome(answered, success === undefined ? {} : { success });

describe('outcome of a delivery', () => {
  for (const status of [200, 201, 204, 205, 209]) {
    // holds: states.completed, call.success, limits.success
    it(`is success for status ${String(status)}`, () => {
      expect(outcomeOf(answer({ status, body: '1' }))).to.deep.equal({
        succeeded: true,
        returnvalue: 1,
      });
    });
  }

  for (const status of [100, 199, 210, 226, 300, 301, 304, 307, 400, 404, 429, 500, 503, 599]) {
    // holds: call.failure, limits.success, delivery.failure
    it(`is failure for status ${String(status)}`, () => {
      expect(outcomeOf(answer({ status, body: '{"message":"why"}' }))).to.deep.equal({
        succeeded: false,
        reason: 'why',
        status,
      });
    });
  }

  // holds: call.failure
  it('has a reason that the store can keep, whatever the endpoint wrote', () => {
    const failed = answer({ status: 500, body: '{"message":"\\ud800 broke\\u0000"}' });
    expect(outcomeOf(failed)).to.include({ reason: '\ufffd broke\ufffd' });
  });

  // holds: text.replaced
  it('replaces NUL in a plain answer, and keeps it in JSON', () => {
    expect(outcomeOf(answer({ body: 'a\0b', contentType: 'text/plain' }))).to.include({
      returnvalue: 'a\ufffdb',
    });
    expect(outcomeOf(answer({ body: '"a\\u0000b"' }))).to.include({ returnvalue: 'a\0b' });
  });

  for (const [success, completing, failing] of [
    [['200-299'], [200, 210, 299], [199, 300, 404]],
    [
      ['202', '404', '500-503'],
      [202, 404, 500, 503],
      [200, 201, 403, 405, 499, 504],
    ],
    [['300-300'], [300], [200, 301]],
  ] as const) {
    // holds: calls.success
    it(`follows the statuses ${success.join(', ')} of the endpoint`, () => {
      for (const status of completing) {
        const outcome = outcomeOf(answer({ status, body: '1' }), success);
        expect(outcome, String(status)).to.deep.equal({ succeeded: true, returnvalue: 1 });
      }
      for (const status of failing) {
        const outcome = outcomeOf(answer({ status }), success);
        expect(outcome, String(status)).to.include({ succeeded: false, status });
      }
    });
  }

  for (const [contentType, body, returnvalue] of [
    ['application/json', '', null],
    ['', '', null],
    ['text/plain', '', null],
    ['application/json', 'null', null],
    ['application/json', '0', 0],
    // holds: bounds.answer-numbers
    ['application/json', '9007199254740993', 9_007_199_254_740_992],
    ['application/json', '""', ''],
    ['application/json', ' {"a":[1]} ', { a: [1] }],
    ['application/json; charset=utf-8', '{"a":1}', { a: 1 }],
    ['Application/JSON', 'true', true],
    ['application/problem+json', '{"a":1}', { a: 1 }],
    ['application/vnd.a.b+json;v=1', '[1]', [1]],
    ['', '{"a":1}', { a: 1 }],
    ['', 'plain text', 'plain text'],
    ['', '{"a":', '{"a":'],
    ['text/plain', '{"a":1}', '{"a":1}'],
    ['text/html', '<p>ok</p>', '<p>ok</p>'],
    ['application/jsonp', '{"a":1}', '{"a":1}'],
  ] as readonly (readonly [string, string, Json])[]) {
    // holds: delivery.returnvalue
    it(`returns ${JSON.stringify(returnvalue)} for ${JSON.stringify(body)} as "${contentType}"`, () => {
      expect(outcomeOf(answer({ contentType, body }))).to.deep.equal({
        succeeded: true,
        returnvalue,
      });
    });
  }

  for (const contentType of ['application/json', 'application/problem+json; charset=utf-8']) {
    for (const body of ['{"a":', 'done', '['.repeat(600) + ']'.repeat(600)]) {
      // holds: delivery.returnvalue, delivery.doubt
      it(`returns the text, and says so, for ${body.slice(0, 9)} as "${contentType}"`, () => {
        expect(outcomeOf(answer({ contentType, body }))).to.deep.equal({
          succeeded: true,
          returnvalue: body,
          doubt: 'The answer cannot be read as JSON, so its text is the return value',
        });
      });
    }
  }

  const page = (title: string, body: string): string =>
    `<!DOCTYPE html>\n<html><head><title>${title}</title>\n<style>p { color: red }</style></head>\n${body}</html>`;
  const nginx =
    '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx/1.24.0</center>\r\n</body>\r\n</html>\r\n';
  for (const [contentType, body, reason] of [
    ['text/html', nginx, 'HTTP 502 Bad Gateway: 502 Bad Gateway nginx/1.24.0'],
    ['text/plain', nginx, 'HTTP 502 Bad Gateway: 502 Bad Gateway nginx/1.24.0'],
    ['', nginx, 'HTTP 502 Bad Gateway: 502 Bad Gateway nginx/1.24.0'],
    ['application/json', nginx, 'HTTP 502 Bad Gateway: 502 Bad Gateway nginx/1.24.0'],
    [
      'text/html; charset=utf-8',
      page('Error', '<body><pre>Error: a &lt; b &amp;amp; c<br> &nbsp; &nbsp;at d</pre></body>'),
      'HTTP 502 Bad Gateway: Error: a < b &amp; c at d',
    ],
    [
      'text/html',
      page('Oh', '<script>let a = "<b>";</script><!-- <p>no</p> -->'),
      'HTTP 502 Bad Gateway',
    ],
    ['text/html', '<p>No <b>paint', 'HTTP 502 Bad Gateway: No paint'],
    ['text/html', '<p>No paint</p><script>alert(1)', 'HTTP 502 Bad Gateway: No paint'],
    // Some servers label plain text as HTML.
    ['text/html', 'No paint', 'No paint'],
    ['text/html', '3 < 5 and 5 > 3', '3 < 5 and 5 > 3'],
    ['text/plain', 'Not <b>this</b>', 'Not <b>this</b>'],
    ['application/json', '{"message":"<html>"}', '<html>'],
  ] as const) {
    // holds: delivery.reason-html
    it(`gives the reason ${JSON.stringify(reason)} for the page ${JSON.stringify(body.slice(0, 20))} as "${contentType}"`, () => {
      const failure = { status: 502, statusText: 'Bad Gateway', contentType, body };
      expect(outcomeOf(answer(failure))).to.deep.equal({ succeeded: false, reason, status: 502 });
    });
  }

  for (const part of ['<', '<a', '<!--', '<script', '<script>', '</script ', '&amp', ' ']) {
    // holds: delivery.reason-html
    it(`reads a page of a megabyte of ${JSON.stringify(part)} quickly`, () => {
      const body = `<html>${part.repeat(1_000_000 / part.length)}`;
      const start = performance.now();
      outcomeOf(answer({ status: 502, contentType: 'text/html', body }));
      expect(performance.now() - start).to.be.below(2000);
    });
  }

  for (const [contentType, body, reason] of [
    ['application/json', '{"message":"a","error":"b"}', 'a'],
    ['application/json', '{"error":"b"}', 'b'],
    ['application/json', '{"message":"","error":"b"}', 'b'],
    ['application/json', '{"message":5,"error":"b"}', 'b'],
    ['application/json', '{"message":"  padded  "}', 'padded'],
    ['application/json', '"just text"', 'just text'],
    ['application/json', '{"code":1}', '{"code":1}'],
    ['application/json', '{"error":{"code":1}}', '{"error":{"code":1}}'],
    // holds: bounds.reason
    ['application/json', '{"error":{"message":"c"},"detail":"d"}', 'c'],
    ['application/json', '{"error":{"message":5},"detail":"d"}', 'd'],
    ['application/json', '{"message":"a","error":"b","detail":"d","title":"t"}', 'a'],
    ['application/json', '{"error":"b","detail":"d","title":"t"}', 'b'],
    // holds: bounds.reason
    ['application/problem+json', '{"title":"t","status":503,"detail":"d"}', 'd'],
    // holds: bounds.reason
    ['application/problem+json', '{"type":"about:blank","title":"t","detail":" "}', 't'],
    ['application/json', '{"detail":"d"}', 'd'],
    ['application/json', '{"detail":["d"]}', '{"detail":["d"]}'],
    ['application/json', '[1]', '[1]'],
    ['application/json', '{broken', '{broken'],
    ['application/problem+json', '{"message":"a"}', 'a'],
    ['', '{"message":"a"}', 'a'],
    ['text/plain', '{"message":"a"}', '{"message":"a"}'],
    ['text/plain', ' out of stock\n', 'out of stock'],
    ['text/plain', '', 'HTTP 503 Service Unavailable'],
    ['text/plain', ' \n ', 'HTTP 503 Service Unavailable'],
    ['application/json', '""', 'HTTP 503 Service Unavailable'],
  ] as const) {
    // holds: delivery.reason
    it(`gives the reason ${JSON.stringify(reason)} for ${JSON.stringify(body)} as "${contentType}"`, () => {
      const failure = { status: 503, statusText: 'Service Unavailable', contentType, body };
      expect(outcomeOf(answer(failure))).to.deep.equal({
        succeeded: false,
        reason,
        status: 503,
      });
    });
  }

  it('names only the status when it has no phrase', () => {
    const outcome = outcomeOf(answer({ status: 599 }));
    expect(outcome).to.deep.equal({ succeeded: false, reason: 'HTTP 599', status: 599 });
  });

  // holds: delivery.reason-cut
  it('cuts the reason at 1 kB', () => {
    const outcome = outcomeOf(
      answer({ status: 500, contentType: 'text/plain', body: 'ü'.repeat(5000) }),
    );
    expect(outcome).to.deep.equal({ succeeded: false, reason: 'ü'.repeat(512), status: 500 });
  });

  const nested = (levels: number, open = '[', close = ']'): string =>
    open.repeat(levels) + (open === '[' ? '' : '1') + close.repeat(levels);

  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
    ['[0,{"a":', '}]'],
  ] as const) {
    const perStep = open.startsWith('[0') ? 2 : 1;
    // holds: security.deep-answer
    it(`keeps an answer of 500 levels of ${open} as its value, and of 501 or more as its text`, () => {
      const value = nested(500 / perStep, open, close);
      const kept = outcomeOf(answer({ body: value }));
      expect(kept).to.deep.equal({ succeeded: true, returnvalue: JSON.parse(value) as Json });
      for (const levels of [501 + (perStep - 1), 5000, 100_000]) {
        const body = nested(Math.ceil(levels / perStep), open, close);
        const outcome = outcomeOf(answer({ body }));
        expect(outcome).to.include({ succeeded: true, returnvalue: body });
        expect(outcome).to.have.property('doubt');
      }
    });
  }

  // holds: security.deep-answer
  it('returns the text of a failure that is nested too deep', () => {
    const body = nested(5000);
    const outcome = outcomeOf(answer({ status: 500, body }));
    expect(outcome).to.deep.include({ succeeded: false, reason: '['.repeat(1024) });
  });

  for (const contentType of [
    ' '.repeat(16_384),
    '\u00a0'.repeat(16_384),
    `${' '.repeat(16_384)}application/json`,
    `${'a'.repeat(8000)}${' '.repeat(8000)}+jso`,
    `application/${'+json'.repeat(3000)}x`,
  ]) {
    // holds: security.beside-the-answer
    it(`parses a type of ${contentType.length} characters quickly: ${JSON.stringify(contentType.slice(0, 20))}`, () => {
      const started = process.hrtime.bigint();
      for (let turn = 0; turn < 100; turn += 1) outcomeOf(answer({ contentType, body: '1' }));
      const milliseconds = Number(process.hrtime.bigint() - started) / 1e6;
      expect(milliseconds).to.be.below(2000);
    });
  }
});
