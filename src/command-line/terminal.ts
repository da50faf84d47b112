import { createInterface } from 'node:readline/promises';

/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Milliseconds between two progress lines of long work. */
const PROGRESS_INTERVAL = 1000;

// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL_CHARACTERS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;

/** The output of a command, and its questions. Answers go to standard output, everything else to standard error. */
export class Terminal {
  constructor() {
    for (const output of [process.stdout, process.stderr]) {
      output.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') throw error;
        // The reader has left, as behind `| head`.
        process.exit();
      });
    }
  }

  /** Prints an answer without control characters: data of jobs must not control the terminal. */
  print(text: string): void {
    process.stdout.write(`${text.replace(CONTROL_CHARACTERS, '\ufffd')}\n`);
  }

  /** Prints a message that is no answer. */
  report(text: string): void {
    process.stderr.write(`${text.replace(CONTROL_CHARACTERS, '\ufffd')}\n`);
  }

  /** @throws UsageError without a terminal to ask at. */
  async confirm(question: string): Promise<boolean> {
    if (!process.stdin.isTTY)
      throw new UsageError(`${question} Add --yes to run it without being asked`);
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
    } finally {
      lines.close();
    }
  }

  /**
   * Reports the progress of the work every second, if there is a terminal. Progress that cannot be read is left out.
   */
  async during<Result>(work: Promise<Result>, progress: () => Promise<string>): Promise<Result> {
    if (!process.stderr.isTTY) return work;
    const timer = setInterval(() => {
      progress().then(
        (text) => this.report(text),
        () => undefined,
      );
    }, PROGRESS_INTERVAL);
    return work.finally(() => clearInterval(timer));
  }
}
