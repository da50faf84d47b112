import type { IncomingMessage } from 'node:http';
import { GrowingBytes } from '../../../shared/growing-bytes.ts';
import { UNCOUNTED_SIZE, type ByteBudget } from './byte-budget.ts';
import { SqsError } from './sqs-error.ts';

/** The longest body, in bytes: Python sends 1 MiB of text as 3 MiB of JSON. */
export const MAX_BODY = 8 * 1024 * 1024;

/** The client went away before its body had come, or while it was answered. */
export class ClientLeftError extends Error {}

/** A body that was received, which is counted until it is released. */
export interface ReceivedBody {
  readonly bytes: Buffer;
  readonly release: () => void;
}

/**
 * Reads a whole body; one that announces too much is refused unread.
 *
 * @param patience the longest time (ms) without a byte of it.
 * @throws SqsError for a body that is too large or does not come, or when there are too many large ones.
 * @throws ClientLeftError
 */
export function readBody(
  request: IncomingMessage,
  client: string,
  budget: ByteBudget,
  patience: number,
): Promise<ReceivedBody> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY) throw tooLarge();
  if (request.destroyed) return Promise.reject(clientLeft());
  const received = new GrowingBytes();
  let counted = 0;
  const release = (): void => {
    budget.refund(client, counted);
    counted = 0;
  };
  return new Promise<ReceivedBody>((resolve, reject) => {
    const fail = (error: Error): void => {
      clearTimeout(idle);
      request.off('data', take).pause();
      received.clear();
      release();
      reject(error);
    };
    const idle = setTimeout(() => {
      fail(
        new SqsError(
          'RequestTimeoutException',
          `No byte of the body came for ${patience / 1000} s.`,
        ),
      );
    }, patience);
    const take = (chunk: Buffer): void => {
      idle.refresh();
      received.add(chunk);
      try {
        if (received.size > MAX_BODY) throw tooLarge();
        if (received.size <= UNCOUNTED_SIZE) return;
        const more = received.size - counted;
        budget.check(client);
        budget.charge(client, more);
        counted += more;
      } catch (error) {
        fail(error as Error);
      }
    };
    request.on('data', take);
    request.once('end', () => {
      clearTimeout(idle);
      resolve({ bytes: received.bytes(), release });
    });
    request.once('close', () => {
      if (!request.readableEnded) fail(clientLeft());
    });
  });
}

function clientLeft(): ClientLeftError {
  return new ClientLeftError('The client closed the connection');
}

function tooLarge(): SqsError {
  return new SqsError(
    'InvalidParameterValue',
    `The request body must be of at most ${MAX_BODY} bytes.`,
  );
}
