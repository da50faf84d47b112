import { keptOrMade } from '../../../../domain/values/kept-or-made.ts';
import { pieceOfRecordId, pieceRecordId, type StartsPiece } from '../records/limiter-record.ts';
import type { StoreRecords } from '../records/store-records.ts';
import { CallWindow } from './call-window.ts';

/** The starts that shared limits count, in pieces, each a record of the service. */
export class LimitWindows {
  readonly #windows = new Map<string, CallWindow>();
  readonly #records: StoreRecords;

  constructor(records: StoreRecords) {
    this.#records = records;
    records.keep('limit-starts', {
      read: (_, id) => {
        const [limit, piece] = pieceOfRecordId(id);
        return this.#windows.get(limit)?.piece(piece);
      },
      take: (_, id, record) => {
        const [limit, piece] = pieceOfRecordId(id);
        this.of(limit).replace(piece, record as StartsPiece | undefined);
      },
    });
  }

  of(limit: string): CallWindow {
    return keptOrMade(this.#windows, limit, () => {
      return new CallWindow((piece) => {
        this.#records.changes.note('limit-starts', '', pieceRecordId(limit, piece));
      });
    });
  }
}
