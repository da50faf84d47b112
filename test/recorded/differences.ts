const [MOST_SECTIONS, MOST_LINES] = [20, 30];

/** Texts by their titles. */
export type Sections = ReadonlyMap<string, string>;

/** The sections that differ, each with its changed lines: first the recorded ones, then the new ones. */
export function differences(recorded: Sections, shown: Sections): readonly string[] {
  const titles = [...new Set([...recorded.keys(), ...shown.keys()])];
  const differing = titles.filter((title) => recorded.get(title) !== shown.get(title));
  const lines = differing.slice(0, MOST_SECTIONS).flatMap((title) => {
    const [before, after] = [linesOf(recorded.get(title)), linesOf(shown.get(title))];
    const start = sameAtStart(before, after);
    const end = sameAtStart(before.slice(start).reverse(), after.slice(start).reverse());
    return [
      `=== ${title}`,
      ...withSign('-', before.slice(start, before.length - end)),
      ...withSign('+', after.slice(start, after.length - end)),
    ];
  });
  const left = differing.length - MOST_SECTIONS;
  return left > 0 ? [...lines, `and ${left} more sections`] : lines;
}

function linesOf(text: string | undefined): readonly string[] {
  return text?.split('\n') ?? [];
}

function sameAtStart(some: readonly string[], others: readonly string[]): number {
  const first = some.findIndex((line, index) => line !== others[index]);
  return first === -1 ? some.length : first;
}

function withSign(sign: string, lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, MOST_LINES).map((line) => `${sign} ${line}`);
  const left = lines.length - MOST_LINES;
  return left > 0 ? [...shown, `${sign} and ${left} more lines`] : shown;
}
