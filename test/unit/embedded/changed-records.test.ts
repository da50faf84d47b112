import { expect } from 'chai';
import { ChangedRecords } from '../../../src/adapters/outbound/memory/records/changed-records.ts';
import { queueNamed } from '../../support/queue-named.ts';

const QUEUE = queueNamed('mail');

describe('ChangedRecords', () => {
  // A claim for a call waits for such a job: its id could be given to another one after a kill.
  it('knows the jobs whose payloads are not on the disk until the write that has them ends', () => {
    const changed = new ChangedRecords();
    const isWritten = (): boolean => changed.isAddStored(QUEUE, '1');
    const take = (): void => void changed.take(() => ({}));
    expect(isWritten()).to.be.true;
    changed.note('payload', QUEUE, '1');
    expect(isWritten(), 'changed').to.be.false;
    take();
    expect(isWritten(), 'being written').to.be.false;
    // A full disk refused the write, so that its changes are part of the next one.
    take();
    expect(isWritten(), 'being written again').to.be.false;
    changed.written();
    expect(isWritten(), 'written').to.be.true;
    changed.note('job', QUEUE, '1');
    expect(isWritten(), 'claimed').to.be.true;
  });
});
