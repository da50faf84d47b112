import { createHash } from 'node:crypto';
import type { OutgoingMessage } from '../../../../application/messages/message-sends.ts';
import type { MessageTerms } from '../../../../application/messages/message-terms.ts';
import { sizeInBytes } from '../../../../domain/values/text.ts';
import type { Json } from '../../../../domain/values/json.ts';
import type { Members } from '../wire/members.ts';
import { invalidParameter, invalidValue, missingParameter, SqsError } from '../wire/sqs-error.ts';
import { md5OfAttributes, md5OfBody } from './md5.ts';
import {
  messageAttributes,
  systemAttributes,
  type MessageAttributes,
} from './message-attributes.ts';
import { firstForbidden } from './message-characters.ts';

/** The most bytes of a batch, all its messages together. */
export const MAX_BATCH = 1_048_576;

const MOST_DELAY = 900;

/** Letters, digits and the punctuation of ASCII. */
const ID = /^[!-~]{1,128}$/;

/** A message as a request has it, with what the answer says of it. */
export interface ParsedMessage {
  readonly message: OutgoingMessage;
  /** Its body and attributes, in bytes. */
  readonly size: number;
  readonly digests: {
    readonly MD5OfMessageBody: string;
    readonly MD5OfMessageAttributes?: string;
    readonly MD5OfMessageSystemAttributes?: string;
  };
}

/**
 * The message of a request, or of an entry of a batch.
 *
 * @param terms of its queue.
 * @throws SqsError
 */
export function parsedMessage(members: Members, terms: MessageTerms): ParsedMessage {
  const body = members.requiredText('MessageBody');
  checkCharacters(body);
  const attributes = messageAttributes(members.structureMap('MessageAttributes'));
  const ofService = systemAttributes(members.structureMap('MessageSystemAttributes'));
  const size = sizeInBytes(body) + sizeOf(attributes);
  if (size > terms.maxSize) {
    throw invalidParameter(
      `One or more parameters are invalid. Reason: Message must be shorter than ${terms.maxSize} bytes.`,
    );
  }
  return {
    message: {
      body,
      attributes: attributes as Json | undefined,
      systemAttributes: ofService as Json | undefined,
      delay: delayOf(members, terms),
      group: groupOf(members, terms),
      deduplicationId: deduplicationIdOf(members, terms, body),
    },
    size,
    digests: {
      MD5OfMessageBody: md5OfBody(body),
      ...(attributes && { MD5OfMessageAttributes: md5OfAttributes(attributes) }),
      ...(ofService && { MD5OfMessageSystemAttributes: md5OfAttributes(ofService) }),
    },
  };
}

/** @throws SqsError `MissingParameter`, for the whole batch of a FIFO queue if one of its entries has no group. */
export function requireGroup(members: Members): void {
  if ((members.text('MessageGroupId') ?? '') === '') throw missingParameter('MessageGroupId');
}

function checkCharacters(body: string): void {
  const found = firstForbidden(body);
  if (found === undefined) return;
  throw new SqsError(
    'InvalidMessageContents',
    `Invalid binary character '#x${found.toString(16).toUpperCase()}' was found in the message body, the set of ` +
      'allowed characters is #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF',
  );
}

function sizeOf(attributes: MessageAttributes = {}): number {
  let size = 0;
  for (const [name, { DataType, StringValue, BinaryValue }] of Object.entries(attributes)) {
    size += sizeInBytes(name) + sizeInBytes(DataType) + sizeInBytes(StringValue ?? '');
    if (BinaryValue !== undefined) size += Buffer.byteLength(BinaryValue, 'base64');
  }
  return size;
}

function delayOf(members: Members, { fifo, delay }: MessageTerms): number {
  const must = `DelaySeconds must be >= 0 and <= ${MOST_DELAY}.`;
  const seconds = members.integerWithin('DelaySeconds', 0, MOST_DELAY, must);
  if (seconds === undefined) return delay;
  if (fifo && seconds !== 0) {
    throw invalidValue(
      'DelaySeconds',
      seconds,
      'The request include parameter that is not valid for this queue type.',
    );
  }
  return fifo ? delay : seconds * 1000;
}

function groupOf(members: Members, { fifo }: MessageTerms): string | undefined {
  if (fifo) requireGroup(members);
  return idOf(members, 'MessageGroupId');
}

function deduplicationIdOf(
  members: Members,
  { fifo, deduplicatesContent }: MessageTerms,
  body: string,
): string | undefined {
  const id = idOf(members, 'MessageDeduplicationId');
  if (!fifo) {
    if (id === undefined) return undefined;
    throw invalidValue(
      'MessageDeduplicationId',
      id,
      'The request includes a parameter that is not valid for this queue type.',
    );
  }
  if (id !== undefined) return id;
  if (deduplicatesContent) return createHash('sha256').update(body).digest('hex');
  throw invalidParameter(
    'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
  );
}

function idOf(members: Members, name: string): string | undefined {
  const id = members.text(name);
  if (id === undefined) return undefined;
  if (ID.test(id)) return id;
  throw invalidValue(
    name,
    id,
    `${name} can only include alphanumeric and punctuation characters. 1 to 128 in length.`,
  );
}
