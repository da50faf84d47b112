/** Headers, names and values in turn, for clients that take them by name. */
export function headerRecord(headers: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let index = 0; index < headers.length; index += 2) {
    record[headers[index] ?? ''] = headers[index + 1] ?? '';
  }
  return record;
}
