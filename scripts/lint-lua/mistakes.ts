/** A warning of luacheck about an assembled script. */
export interface Warning {
  readonly script: string;
  readonly code: string;
  readonly message: string;
  /** The line of the script, without its indentation. */
  readonly line: string;
}

/** An unused local variable or function. */
const UNUSED = 'W211';

/**
 * The warnings that name a mistake of ours, each once. Lines of the library are left out. A file of rules defines more
 * than each script that includes it needs, so a definition is unused only if no script uses it.
 */
export function mistakesOf(
  warnings: readonly Warning[],
  linesOfLibrary: ReadonlySet<string>,
  scripts: ReadonlyMap<string, string>,
): readonly string[] {
  const ours = warnings.filter(({ line }) => line !== '' && !linesOfLibrary.has(line));
  const unusedIn = new Map<string, Set<string>>();
  for (const { code, line, script } of ours) {
    if (code !== UNUSED) continue;
    const known = unusedIn.get(line) ?? new Set();
    unusedIn.set(line, known.add(script));
  }
  const isMistake = ({ code, line }: Warning) => {
    if (code !== UNUSED) return true;
    const defining = [...scripts].filter(([, text]) => text.includes(line));
    return defining.every(([script]) => unusedIn.get(line)?.has(script) === true);
  };
  const texts = ours
    .filter(isMistake)
    .map(({ script, code, message, line }) => `${script}: ${code} ${message}: ${line}`);
  return [...new Map(texts.map((text) => [text.replace(/^[^:]*/, ''), text])).values()];
}
