import { createInterface } from 'node:readline/promises';
import type { ReadStream } from 'node:tty';
import { escapedJson } from './output/escaped-json.ts';
import { rendered } from './output/marks.ts';
import { UsageError } from './input/usage-error.ts';

/** Milliseconds between two progress lines of a long operation. */
const PROGRESS_INTERVAL = 1000;

// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL_CHARACTERS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;
const CLEARED = '\u001b[H\u001b[2J\u001b[3J';

type Stream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/** What a command reads and writes: the process, except in tests. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream & Pick<Partial<ReadStream>, 'isTTY' | 'setRawMode'>;
  readonly stdout: Stream;
  readonly stderr: Stream;
}

/** The output of a command, and its prompts. Answers go to standard output, everything else to standard error. */
export class Terminal {
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
    for (const output of [around.stdout, around.stderr]) {
      output.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') throw error;
        // The reader has exited, as with `| head`.
        process.exit();
      });
    }
  }

  /** How many columns a line may take; unlimited for a file. */
  get width(): number {
    return this.#around.stdout.columns ?? (Number(this.#around.env['COLUMNS']) || Infinity);
  }

  get isTerminal(): boolean {
    return this.#around.stdout.isTTY === true;
  }

  /** Whether a person types the standard input. */
  get hasPerson(): boolean {
    return this.#around.stdin.isTTY === true;
  }

  /** Calls a function when the reader of the output has exited. */
  onceLeft(left: () => void): void {
    this.#around.stdout.once('error', left);
  }

  /** Prints an answer without control characters: job data must not control the terminal. */
  print(text: string): void {
    this.#around.stdout.write(`${this.#shown(text, this.isTerminal)}\n`);
  }

  /** Prints the text in place of the current content of the terminal. */
  replace(text: string): void {
    this.#around.stdout.write(`${CLEARED}${this.#shown(text, true)}\n`);
  }

  /** Prints JSON on one line. */
  printJson(value: unknown): void {
    this.#around.stdout.write(`${escapedJson(value, 'one line')}\n`);
  }

  /** Prints a message that is not an answer. */
  report(text: string): void {
    this.#around.stderr.write(`${this.#shown(text, this.#around.stderr.isTTY === true)}\n`);
  }

  /** @throws UsageError without a terminal for the prompt. */
  async confirm(question: string): Promise<boolean> {
    if (!this.hasPerson)
      throw new UsageError(`${question} Add --yes to run it without being asked`);
    return /^y(es)?$/i.test(await this.#ask(`${question} [y/N] `));
  }

  /** Asks for a secret without echoing it; without a terminal, reads the first line of standard input. */
  async secret(question: string): Promise<string> {
    if (!this.hasPerson) return this.#ask('');
    this.#around.stderr.write(question);
    const input = this.#around.stdin;
    input.setRawMode?.(true);
    try {
      return await typed(input);
    } finally {
      input.setRawMode?.(false);
      input.pause();
      this.#around.stderr.write('\n');
    }
  }

  /** Reports the progress of the work every second, if there is a terminal. Unreadable progress is omitted. */
  async during<Result>(work: Promise<Result>, progress: () => Promise<string>): Promise<Result> {
    if (this.#around.stderr.isTTY !== true) return work;
    const timer = setInterval(() => {
      progress().then(
        (text) => this.report(text),
        () => undefined,
      );
    }, PROGRESS_INTERVAL);
    return work.finally(() => clearInterval(timer));
  }

  /** The line that is typed; empty when the input ends or Ctrl-C is pressed. */
  async #ask(question: string): Promise<string> {
    const lines = createInterface({ input: this.#around.stdin, output: this.#around.stderr });
    // A last line without its end comes as one as well, before the input closes.
    const answer = new Promise<string>((resolve) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(''));
    });
    try {
      lines.setPrompt(question);
      lines.prompt();
      return (await answer).trim();
    } finally {
      lines.close();
    }
  }

  #shown(text: string, isTerminal: boolean): string {
    const plain = text.replace(CONTROL_CHARACTERS, '\ufffd');
    const hasColours = isTerminal && (this.#around.env['NO_COLOR'] ?? '') === '';
    return rendered(plain, hasColours ? 'with colours' : 'plain');
  }
}

/** The typed text up to the end of the line. @throws UsageError on Ctrl-C. */
async function typed(input: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    for (const character of String(chunk)) {
      if (character === '\r' || character === '\n') return text;
      if (character === '\u0003' || character === '\u0004')
        throw new UsageError('Nothing was done');
      text = character === '\u007f' ? text.slice(0, -1) : text + character;
    }
  }
  return text;
}
