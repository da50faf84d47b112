import { expect } from 'chai';
import { queueArn, queueOfArn } from '../../../src/adapters/inbound/sqs/fields/queue-arn.ts';
import {
  isSqsPath,
  queueOfUrl,
  queueUrl,
} from '../../../src/adapters/inbound/sqs/fields/queue-url.ts';
import {
  receiptHandle,
  receiptOf,
} from '../../../src/adapters/inbound/sqs/fields/receipt-handle.ts';

describe('what names things in SQS', () => {
  for (const queue of ['orders', 'orders.fifo', 'with space', 'a/b?c#d%', 'ä€']) {
    // holds: sqs.queues
    it(`the URL of ${queue} leads to it`, () => {
      const url = queueUrl('https://a.example', queue);
      expect(queueOfUrl(url)).to.equal(queue);
      expect(queueOfUrl(`${url}/`)).to.equal(queue);
      expect(isSqsPath(new URL(url).pathname)).to.equal(true);
    });
  }

  // holds: sqs.queues
  it('no other URL leads to a queue', () => {
    for (const url of [
      '',
      '/sqs',
      '/sqs/1/a',
      '/sqs/000000000000/',
      '/sqs/000000000000/%E0',
      'a',
    ]) {
      expect(queueOfUrl(url)).to.equal(undefined);
    }
    for (const path of [
      '/',
      '/sqsx',
      '/queues',
      '/x/sqs/000000000000/a',
      '/sqs/000000000000/a/b',
    ]) {
      expect(isSqsPath(path)).to.equal(false);
    }
  });

  // holds: sqs.region
  it('an ARN of any region leads to its queue', () => {
    expect(queueOfArn(queueArn('eu-central-1', 'orders.fifo'))).to.equal('orders.fifo');
    expect(queueOfArn('arn:aws-cn:sqs:cn-north-1:000000000000:a')).to.equal('a');
    for (const arn of ['', 'a', 'arn:aws:sns:eu:000000000000:a', 'arn:aws:sqs:eu:1:a']) {
      expect(queueOfArn(arn)).to.equal(undefined);
    }
  });

  // holds: sqs.handle
  it('a receipt handle has all that it stands for, and nothing else is one', () => {
    const receipt = { queue: 'ä', jobId: 'a:b', token: 'x-_', receives: 3 };
    expect(receiptOf(receiptHandle(receipt))).to.deep.equal(receipt);
    const other = (value: unknown): string =>
      Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const handle of [
      '',
      'a b',
      'AQEB',
      '='.repeat(10_000),
      other({}),
      other(['jg1', 'a', 'b', 'c']),
      other(['jg2', 'a', 'b', 'c', 1]),
      other(['jg1', 'a', 'b', 'c', '1']),
      other(['jg1', 'a', 'b', 3, 1]),
    ]) {
      expect(receiptOf(handle)).to.equal(undefined);
    }
  });
});
