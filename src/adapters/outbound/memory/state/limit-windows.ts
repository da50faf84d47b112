import { keptOrMade } from '../../../../domain/values/kept-or-made.ts';
import { pieceOfRecordId, pieceRecordId, type StartsPiece } from '../records/limiter-record.ts';
import type { StoreRecords } from '../records/store-records.ts';
import { CallWindow, MOST_IN_PIECE } from './call-window.ts';

/** In place of the number of a piece: the record of how many whole pieces are gone. */
const HEAD = -1;

type Written = readonly [limit: string, piece: number, record: StartsPiece | undefined];

/** The starts that shared limits count, in pieces, each a record of the service. */
export class LimitWindows {
  readonly #windows = new Map<string, CallWindow>();
  readonly #records: StoreRecords;
  /** Until all are there: their order counts. */
  readonly #pending: Written[] = [];
  #inTurn = this.#windows.keys();

  constructor(records: StoreRecords) {
    this.#records = records;
    records.keep('limit-starts', {
      read: (_, id) => {
        const [limit, piece] = pieceOfRecordId(id);
        const window = this.#windows.get(limit);
        if (window === undefined) return undefined;
        return piece === HEAD ? { before: wholePieces(window), starts: [] } : window.piece(piece);
      },
      take: (_, id, record) => {
        this.#pending.push([...pieceOfRecordId(id), record as StartsPiece | undefined]);
      },
      restored: () => {
        const written = this.#pending.splice(0).sort(([, one], [, other]) => one - other);
        for (const each of written) this.#take(...each);
      },
    });
  }

  /** The next of the limits of which starts were counted, each in turn. */
  next(): string | undefined {
    const { value, done } = this.#inTurn.next();
    if (done === true) this.#inTurn = this.#windows.keys();
    return value;
  }

  /** Drops some starts of a limit that is about to be forgotten. @returns false, with nothing left, if there were none. */
  drop(limit: string): boolean {
    const window = this.#windows.get(limit);
    if (window?.isEmpty === false) {
      window.drop(MOST_IN_PIECE);
      return true;
    }
    window?.noteAll();
    if (window !== undefined) this.#note(limit, HEAD);
    return false;
  }

  forget(limit: string): void {
    this.#windows.delete(limit);
  }

  of(limit: string): CallWindow {
    return keptOrMade(this.#windows, limit, () => {
      const note = (piece: number): void => {
        this.#note(limit, piece);
      };
      let noted = 0;
      const window: CallWindow = new CallWindow((piece) => {
        note(piece);
        if (wholePieces(window) === noted) return;
        noted = wholePieces(window);
        note(HEAD);
      });
      return window;
    });
  }

  #note(limit: string, piece: number): void {
    this.#records.changes.note('limit-starts', '', pieceRecordId(limit, piece));
  }

  #take(limit: string, piece: number, record: StartsPiece | undefined): void {
    if (record === undefined && !this.#windows.has(limit)) return;
    const window = this.of(limit);
    const isFirst = piece * MOST_IN_PIECE <= window.dropped || window.isEmpty;
    if (record !== undefined && isFirst) window.restoreDropped(record.before);
    if (piece !== HEAD) window.replace(piece, record);
  }
}

/** How many starts the pieces had that are gone. */
function wholePieces({ dropped }: CallWindow): number {
  return dropped - (dropped % MOST_IN_PIECE);
}
