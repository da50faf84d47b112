import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import type { ExchangeResponse } from '../../../src/adapters/inbound/exchange/exchange.ts';
import { ParseRoom } from '../../../src/adapters/inbound/http/messages/parse-room.ts';
import { SettableHeap } from '../../support/settable-heap.ts';

const MEGABYTE = 1_048_576;

describe('the room for parsing bodies', () => {
  let heap: SettableHeap;
  let room: ParseRoom;

  beforeEach(() => {
    heap = new SettableHeap();
    room = new ParseRoom(heap);
  });

  function take(bytes: Buffer): ExchangeResponse {
    const response = new ServerResponse(new IncomingMessage(new Socket())) as ExchangeResponse;
    room.take(response, bytes);
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

  // holds: store.full-memory
  it('is too little for a body that would fill the heap alone', () => {
    heap.set(430, 60);
    const body = Buffer.alloc(4 * MEGABYTE, 'x');
    expect(() => take(body)).to.throw('The memory is full: 430 of 512 MB');
    expect(() => take(Buffer.alloc(MEGABYTE, '1,'))).to.throw('The memory is full');
    take(Buffer.alloc(MEGABYTE, 'x'));
  });
});
