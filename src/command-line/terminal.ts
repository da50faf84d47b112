import { createInterface } from 'node:readline/promises';

/** The command cannot be done as it was typed. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Milliseconds between two lines on work that takes long. */
const PROGRESS_INTERVAL = 1000;

// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL_CHARACTERS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;

/** Where a command writes to, and whom it asks. Answers go to standard output, all else to standard error. */
export class Terminal {
  constructor() {
    for (const output of [process.stdout, process.stderr]) {
      output.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') throw error;
        // Nobody reads on, as behind `| head`.
        process.exit();
      });
    }
  }

  /** What comes from jobs may hold anything, and must not steer the terminal. */
  print(text: string): void {
    process.stdout.write(`${text.replace(CONTROL_CHARACTERS, '\ufffd')}\n`);
  }

  tell(text: string): void {
    process.stderr.write(`${text.replace(CONTROL_CHARACTERS, '\ufffd')}\n`);
  }

  /** @throws UsageError where nobody can answer. */
  async confirm(question: string): Promise<boolean> {
    if (!process.stdin.isTTY)
      throw new UsageError(`${question} Say --yes where nobody can be asked`);
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
    } finally {
      lines.close();
    }
  }

  /** Tells at a terminal every second how far the work is. What cannot be told is left out. */
  async during<Result>(work: Promise<Result>, progress: () => Promise<string>): Promise<Result> {
    if (!process.stderr.isTTY) return work;
    const timer = setInterval(() => {
      progress().then(
        (text) => this.tell(text),
        () => undefined,
      );
    }, PROGRESS_INTERVAL);
    return work.finally(() => clearInterval(timer));
  }
}
