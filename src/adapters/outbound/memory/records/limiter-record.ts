/**
 * A piece of what a limiter counts, as it is written: some starts (epoch ms), how many came before them, and what each
 * counts, unless all count 1.
 */
export interface StartsPiece {
  readonly before: number;
  readonly starts: readonly number[];
  readonly costs?: readonly number[];
}

/** The id of the record of a piece. @param group whose limiter counts; '' for that of the queue. */
export function pieceRecordId(group: string, piece: number): string {
  return `${piece} ${group}`;
}

export function pieceOfRecordId(recordId: string): readonly [group: string, piece: number] {
  const space = recordId.indexOf(' ');
  return [recordId.slice(space + 1), Number(recordId.slice(0, space))];
}
