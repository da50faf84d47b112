import { expect } from 'chai';
import { route } from '../../../src/adapters/inbound/http/api/route.ts';
import { onJob } from '../../../src/application/operations/in-queue.ts';
import { operation } from '../../../src/application/operations/operation.ts';
import { done } from '../../../src/application/operations/out.ts';

describe('A route', () => {
  it('has a path that names all that its operation is about', () => {
    const unnamed = operation({
      access: 'read',
      summary: 'Read',
      description: 'Nothing more.',
      in: onJob,
      out: done('It is read'),
      perform: () => undefined,
    });
    const read = { ...unnamed, id: 'read' };
    expect(() => route('GET', '/queues/:queue/jobs', read)).to.throw(
      '/queues/:queue/jobs does not name jobId',
    );
    expect(route('GET', '/queues/:queue/jobs/:jobId', read)).to.have.property('id', 'read');
  });
});
