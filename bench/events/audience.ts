import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '../load.ts';

/** Connections that are opened at the same time. */
const AT_ONCE = 50;

/** Many subscribers of one queue; counts the bytes that each receives. */
export class Audience {
  readonly #streams: { readonly answer: IncomingMessage; bytes: number }[] = [];

  /** Resolves when all follow. */
  static async gather(
    { host, port, token }: Target,
    queue: string,
    size: number,
  ): Promise<Audience> {
    const audience = new Audience();
    const join = async (): Promise<void> => {
      const headers = { authorization: `Bearer ${token}` };
      const request = get({ host, port, path: `/queues/${queue}/events`, headers, agent: false });
      const [answer] = (await once(request, 'response')) as [IncomingMessage];
      if (answer.statusCode !== 200) throw new Error(`Refused with ${answer.statusCode}`);
      const stream = { answer, bytes: 0 };
      audience.#streams.push(stream);
      answer.on('data', (piece: Buffer) => (stream.bytes += piece.length));
      answer.on('error', () => undefined);
    };
    for (let joined = 0; joined < size; joined += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, join));
    }
    return audience;
  }

  /** Resolves when no more events arrive. @returns the least and the most bytes that one of them received. */
  async untilTold(): Promise<readonly [number, number]> {
    const all = (): number => this.#streams.reduce((sum, { bytes }) => sum + bytes, 0);
    for (let known = -1; known !== all();) {
      known = all();
      await sleep(1000);
    }
    const each = this.#streams.map(({ bytes }) => bytes);
    return [Math.min(...each), Math.max(...each)];
  }

  leave(): void {
    for (const { answer } of this.#streams) answer.destroy();
  }
}
