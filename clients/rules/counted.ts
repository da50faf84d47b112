/** A number and what it counts, such as `1 job` and `3 jobs`. @param write the number as text. */
export function counted(
  count: number,
  one: string,
  many = `${one}s`,
  write: (count: number) => string = String,
): string {
  return `${write(count)} ${count === 1 ? one : many}`;
}
