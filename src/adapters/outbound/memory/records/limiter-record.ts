/** A piece of what a limiter counts, as it is written: some starts (epoch ms), and how many came before them. */
export interface StartsPiece {
  readonly before: number;
  readonly starts: readonly number[];
}

/** The id of the record of a piece. @param group whose limiter counts; '' for that of the queue. */
export function pieceRecordId(group: string, piece: number): string {
  return `${piece} ${group}`;
}

export function pieceOfRecordId(recordId: string): readonly [group: string, piece: number] {
  const space = recordId.indexOf(' ');
  return [recordId.slice(space + 1), Number(recordId.slice(0, space))];
}
