/** The characters for which the order of UTF-16 may differ from that of UTF-8. */
const SURROGATE = /[\ud800-\udfff]/;

/** Compares texts as Redis does: by the bytes of their UTF-8. */
export function byteOrder(one: string, other: string): number {
  if (SURROGATE.test(one) || SURROGATE.test(other)) {
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  }
  return one < other ? -1 : Number(one > other);
}
