/** Milliseconds of a clock that all processes of the machine share and nobody sets. */
export function monotonicTime(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
