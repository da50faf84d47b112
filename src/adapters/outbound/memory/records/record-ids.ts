/** The database ends a text at a NUL, and replaces what is not well-formed; a quote marks an id that is written as JSON. */
const UNSAFE = /^"|\0/;

/** The id of a record as it is written. */
export function writtenId(id: string): string {
  return UNSAFE.test(id) || !id.isWellFormed() ? JSON.stringify(id) : id;
}

/** The id of a record, from what was written. */
export function readId(written: string): string {
  return written.startsWith('"') ? (JSON.parse(written) as string) : written;
}
