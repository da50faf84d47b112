/** Which arguments of a run are the values: the first and the last, or none when the last is before the first. */
export type Piece = readonly [first: number, last: number];

/** The arguments of the run that makes staged jobs visible, in pieces: what is written to one key comes together. */
export class StagedArguments {
  readonly values: string[] = [];

  place(values: readonly string[]): Piece {
    const first = this.values.length;
    for (const value of values) this.values.push(value);
    return [first, first + values.length - 1];
  }
}
