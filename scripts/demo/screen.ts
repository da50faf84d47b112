import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** What a line is about: the service, as its REST interface shows it, or the sample endpoint. */
export type Speaker = 'jobgate' | 'endpoint';

/** The lines of the demo, coloured where a person reads them. */
export class Screen {
  readonly #write: (text: string) => void;
  readonly #colours: boolean;
  readonly #startedAt = performance.now();

  constructor(output: NodeJS.WriteStream) {
    this.#write = (text) => output.write(`${text}\n`);
    this.#colours = output.isTTY && !process.env['NO_COLOR'];
  }

  line(text = ''): void {
    this.#write(text === '' ? '' : `  ${text}`);
  }

  title(text: string): void {
    this.#write(`\n${this.#styled('bold', text)}`);
  }

  /** A line to read along with others: a name, then what belongs to it. */
  entry(name: string, text: string): void {
    this.line(`${name.padEnd(17)}${text}`);
  }

  faint(text: string): void {
    this.line(this.#styled('dim', text));
  }

  /** What just happened to a job, with the time since the demo began. */
  event(jobId: string, speaker: Speaker, text: string, style?: Style): void {
    const seconds = ((performance.now() - this.#startedAt) / 1000).toFixed(2);
    const time = this.#styled('dim', `${seconds.padStart(6)} s`);
    const who = this.#styled(speaker === 'jobgate' ? 'cyan' : 'magenta', speaker.padEnd(8));
    const what = style === undefined ? text : this.#styled(style, text);
    this.line(`${time}  ${`#${jobId}`.padEnd(3)} ${who}  ${what}`);
  }

  #styled(style: Style, text: string): string {
    return this.#colours ? styleText(style, text) : text;
  }
}
