import { invalidParameter } from '../wire/sqs-error.ts';

/** What the name of a queue ends with in which messages are in order and sent once. */
const FIFO_SUFFIX = '.fifo';

const [LEAST, MOST] = [3, 80];
const CHARACTERS = /^[A-Za-z0-9_-]+$/;

export function isFifoName(name: string): boolean {
  return name.endsWith(FIFO_SUFFIX);
}

/** @throws SqsError `InvalidParameterValue` for a name that no queue may be created with. */
export function checkNewName(name: string, isFifo: boolean): void {
  const hasLength = name.length >= LEAST && name.length <= MOST;
  const bare = isFifo && isFifoName(name) ? name.slice(0, -FIFO_SUFFIX.length) : name;
  if (hasLength && CHARACTERS.test(bare) && isFifo === isFifoName(name)) return;
  throw invalidParameter(
    isFifo
      ? 'The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with ' +
          `.fifo suffix and be ${LEAST} to ${MOST} in length.`
      : `Can only include alphanumeric characters, hyphens, or underscores. ${LEAST} to ${MOST} in length.`,
  );
}
