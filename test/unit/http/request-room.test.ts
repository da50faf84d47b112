import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import type { ExchangeResponse } from '../../../src/adapters/inbound/exchange/exchange.ts';
import { RequestRoom } from '../../../src/adapters/inbound/exchange/request-room.ts';
import { SettableHeap } from '../../support/settable-heap.ts';

const MEGABYTE = 1_048_576;

describe('the room for requests', () => {
  let heap: SettableHeap;
  let room: RequestRoom;

  beforeEach(() => {
    heap = new SettableHeap();
    room = new RequestRoom(heap);
  });

  const newResponse = (): ExchangeResponse =>
    new ServerResponse(new IncomingMessage(new Socket())) as ExchangeResponse;

  function take(bytes: Buffer): ExchangeResponse {
    const response = newResponse();
    room.takeBody(response, bytes);
    return response;
  }

  // holds: store.full-memory
  it('is shared by large bodies until their answers have gone', () => {
    const body = Buffer.alloc(40 * MEGABYTE, 'x');
    const [first] = [take(body), take(body)];
    expect(() => take(body)).to.throw('Too many large requests at once, try again later');
    take(Buffer.alloc(1000));
    first.emit('close');
    take(body);
  });

  it('is shared by the jobs of short bodies, until their answers have gone', () => {
    const responses = Array.from({ length: 1000 }, newResponse);
    const add = (response: ExchangeResponse): void => {
      room.takeBody(response, Buffer.alloc(16_384, '{"name":"a","data":1},'));
      room.takeJobs(response, 700);
    };
    expect(() => {
      responses.forEach(add);
    }).to.throw('Too many large requests at once');
    room.takeJobs(newResponse(), 10);
    for (const response of responses) response.emit('close');
    responses.slice(0, 300).forEach(add);
  });

  // holds: store.full-memory
  it('is too little for a body that would fill the heap alone', () => {
    heap.set(430, 60);
    const body = Buffer.alloc(4 * MEGABYTE, 'x');
    expect(() => take(body)).to.throw('The memory is full: 430 of 512 MB');
    expect(() => take(Buffer.alloc(MEGABYTE, '1,'))).to.throw('The memory is full');
    take(Buffer.alloc(MEGABYTE, 'x'));
  });
});
