import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { AssertionError } from 'chai';
import { differences, type Sections } from './differences.ts';
import { marked } from './marks.ts';

const TITLE = /^=== (.*)$/m;

/**
 * The output of the service in a test, beside the output that `npm run record` wrote into `test/recorded/NAME.txt`. A
 * change that is meant is recorded anew.
 */
export class Recording {
  readonly #name: string;
  readonly #sections = new Map<string, string>();

  constructor(name: string) {
    this.#name = `${name}.txt`;
  }

  /** Adds a section. A title that comes again is numbered. */
  note(title: string, text: string): void {
    const shown = marked(title);
    let unique = shown;
    for (let again = 2; this.#sections.has(unique); again += 1) unique = `${shown} (${again})`;
    this.#sections.set(unique, marked(text));
  }

  /** @throws AssertionError with the lines that differ. */
  expectUnchanged(): void {
    const path = join(import.meta.dirname, this.#name);
    if (process.env['RECORD'] !== undefined) writeFileSync(path, textOf(this.#sections));
    const recorded = sectionsOf(existsSync(path) ? readFileSync(path, 'utf8') : '');
    const found = differences(recorded, this.#sections);
    if (found.length === 0) return;
    const advice = `test/recorded/${this.#name} differs: npm run record, if the change is meant`;
    throw new AssertionError([advice, ...found].join('\n'));
  }
}

function textOf(sections: Sections): string {
  return [...sections].map(([title, text]) => `=== ${title}\n${text}\n`).join('');
}

function sectionsOf(text: string): Sections {
  const [, ...parts] = text.split(TITLE);
  const titles = parts.filter((_, index) => index % 2 === 0);
  return new Map(titles.map((title, index) => [title, parts[index * 2 + 1]?.slice(1, -1) ?? '']));
}
