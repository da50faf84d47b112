/** A key of Redis as `dumpOf` has it. */
type Key = readonly [key: string, type: string, value: unknown, doesExpire: boolean];

/**
 * The keys of a dump, each with its entries: keys, fields and members in the order of their texts, since they have none
 * in Redis.
 *
 * @param mark replaces what differs from run to run, which would differ in order too.
 */
export function shownKeys(
  dump: Buffer,
  mark: (text: string) => string,
): readonly (readonly [key: string, entries: readonly string[]])[] {
  const keys = JSON.parse(String(dump)) as readonly Key[];
  return keys
    .map(([key, type, value, doesExpire]) => {
      const head = `${type} ${mark(key)}${doesExpire ? ', which expires' : ''}`;
      return [head, entriesOf(type, value, mark)] as const;
    })
    .toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)));
}

function entriesOf(
  type: string,
  value: unknown,
  mark: (text: string) => string,
): readonly string[] {
  switch (type) {
    case 'hash':
      return Object.entries(value as object)
        .map(([field, text]) => mark(`${field} ${text}`))
        .toSorted();
    case 'set':
      return (value as readonly string[]).map(mark).toSorted();
    case 'stream':
      // Their ids are by the time of the server.
      return (value as readonly [string, readonly string[]][]).map(([, fields]) =>
        mark(fields.join(' ')),
      );
    case 'zset':
      return (value as readonly string[]).flatMap((member, index, all) =>
        index % 2 === 0 ? [mark(`${all[index + 1]} ${member}`)] : [],
      );
    default:
      return [value].flat().map((each) => mark(String(each)));
  }
}
