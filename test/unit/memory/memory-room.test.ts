import { expect } from 'chai';
import { useFakeTimers } from 'sinon';
import { growingPort } from '../../../src/adapters/outbound/memory/room/growing-port.ts';
import { MemoryRoom } from '../../../src/adapters/outbound/memory/room/memory-room.ts';
import { CALLBACK_QUEUE } from '../../../src/domain/queues/own-queue.ts';
import { RecordingLogger } from '../../integration/http/support/recording-logger.ts';
import { eventually } from '../../support/eventually.ts';
import { rejection } from '../../support/rejection.ts';
import { SettableHeap } from '../../support/settable-heap.ts';

const FULL = 'The memory is full: 412 of 512 MB; remove jobs or give the process more';
const REFUSED = 'The memory is full: new jobs are refused';

describe('the room of a memory', () => {
  let heap: SettableHeap;
  let room: MemoryRoom;
  let logger: RecordingLogger;

  const messages = (): string[] => logger.lines.map(({ message }) => message);

  beforeEach(() => {
    heap = new SettableHeap();
    logger = new RecordingLogger();
    room = new MemoryRoom(heap, logger);
    room.start();
  });

  afterEach(() => {
    room.stop();
  });

  // holds: store.full-memory
  it('is too little for adds above 80 % of the heap, and enough again below 75 %', () => {
    heap.set(412);
    expect(() => {
      room.check();
    }).to.throw(FULL);
    heap.set(385);
    heap.collectItself();
    expect(room.isFull).to.equal(true);
    heap.set(383);
    heap.collectItself();
    expect(room.isFull).to.equal(false);
    expect(() => {
      room.check();
    }).not.to.throw();
  });

  it('is judged without the garbage, which is collected first', () => {
    heap.set(300, 150);
    room.check();
    expect([room.isFull, heap.collections]).to.deep.equal([false, 1]);
    room.check();
    expect(heap.collections).to.equal(1);
    expect(room.memory.used).to.equal(heap.used());
  });

  it('is too little, garbage or not, while none can be collected', async () => {
    heap.set(300, 115);
    heap.isResting = true;
    expect(() => {
      room.check();
    }).to.throw('The memory is full: 415 of 512 MB');
    heap.isResting = false;
    await eventually('there is room', () => Promise.resolve(!room.isFull));
    room.check();
  });

  it('is judged whenever V8 collects, whatever filled it', () => {
    let changes = 0;
    room.onChange(() => (changes += 1));
    heap.set(420, 20);
    heap.collectItself();
    expect(room.isFull).to.equal(true);
    heap.set(100);
    heap.collectItself();
    expect([room.isFull, changes]).to.deep.equal([false, 2]);
  });

  it('takes what may be large until 84 % are in use', () => {
    heap.set(425);
    room.checkLarge();
    heap.set(470);
    expect(() => {
      room.checkLarge();
    }).to.throw('The memory is full: 470 of 512 MB');
    heap.set(420, 40);
    room.checkLarge();
  });

  it('that is full has one warning a minute of slots that are skipped', () => {
    expect(room.skipsSlots()).to.equal(false);
    heap.set(412);
    heap.collectItself();
    expect([room.skipsSlots(), room.skipsSlots()]).to.deep.equal([true, true]);
    expect(messages()).to.deep.equal([REFUSED, 'The memory is full: schedulers skip their slots']);
  });

  it('that fills up again and again has one line until it has had room for a minute', () => {
    const time = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval'] });
    const fill = (megabytes: number): void => {
      heap.set(megabytes);
      heap.collectItself();
    };
    try {
      for (const megabytes of [412, 383, 412, 383]) {
        fill(megabytes);
        expect(room.isFull).to.equal(megabytes === 412);
        time.tick(59_999);
      }
      expect(messages()).to.deep.equal([REFUSED]);
      time.tick(1);
      fill(412);
      expect(messages()).to.deep.equal([REFUSED, 'The memory has room again', REFUSED]);
    } finally {
      time.restore();
    }
  });

  // holds: store.full-memory
  it('is no question for what the service sends to others', async () => {
    const added: string[] = [];
    const add = (queue: string): Promise<void> => {
      added.push(queue);
      return Promise.resolve();
    };
    const port = growingPort({ add }, { add: 'adds' }, room);
    heap.set(412);
    expect(await rejection(port.add('mail'))).to.include({ code: 'memory-full', message: FULL });
    await port.add(CALLBACK_QUEUE);
    expect(added).to.deep.equal([CALLBACK_QUEUE]);
  });
});
