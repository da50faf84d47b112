const UUID = /^([0-9a-f]{8})-([0-9a-f]{4})-7([0-9a-f]{3})-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Numbers of AWS have 20 digits, so that they compare as text too. */
const FIRST = 10_000_000_000_000_000_000n;

/**
 * The number of a message in the order of its queue: that of its id, which is drawn in order. Undefined for a message
 * whose id another program chose.
 */
export function sequenceNumber(messageId: string): string | undefined {
  const [, high, low, fraction] = UUID.exec(messageId) ?? [];
  if (high === undefined || low === undefined || fraction === undefined) return undefined;
  return String(FIRST + BigInt(`0x${high}${low}${fraction}`));
}
