/** The characters for which the order of UTF-16 may differ from that of UTF-8. */
const SURROGATE = /[\ud800-\udfff]/;

/** Compares texts as Redis does: by the bytes of their UTF-8, which is the order of their code points. */
export function byteOrder(one: string, other: string): number {
  if (SURROGATE.test(one) || SURROGATE.test(other)) return codePointOrder(one, other);
  return one < other ? -1 : Number(one > other);
}

function codePointOrder(one: string, other: string): number {
  const [points, otherPoints] = [codePoints(one), codePoints(other)];
  for (const [index, point] of points.entries()) {
    const difference = point - (otherPoints[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return points.length - otherPoints.length;
}

function codePoints(text: string): readonly number[] {
  return Array.from(text.toWellFormed(), (character) => character.codePointAt(0) ?? 0);
}
