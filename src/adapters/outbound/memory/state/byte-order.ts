/** Compares texts as Redis does: by the bytes of their UTF-8. */
export function byteOrder(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
