import { createHash, hash } from 'node:crypto';
import { isBinary, type MessageAttributes } from './message-attributes.ts';

/** What marks a value as text, and as bytes. */
const [TEXT, BYTES] = [1, 2];

/** The digest of a body, by which SDKs check what arrived. */
export function md5OfBody(body: string): string {
  return hash('md5', body, 'hex');
}

/**
 * The digest of attributes in the order of their names, as AWS defines it: each name, type and value behind its length.
 * The whole type counts, with the label of the sender.
 */
export function md5OfAttributes(attributes: MessageAttributes): string {
  const digest = createHash('md5');
  const add = (bytes: Buffer): void => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    digest.update(length).update(bytes);
  };
  const names = Object.keys(attributes).sort();
  for (const name of names) {
    const attribute = attributes[name];
    if (attribute === undefined) continue;
    const { DataType, StringValue = '', BinaryValue = '' } = attribute;
    const isBytes = isBinary(attribute);
    add(Buffer.from(name));
    add(Buffer.from(DataType));
    digest.update(Buffer.of(isBytes ? BYTES : TEXT));
    add(isBytes ? Buffer.from(BinaryValue, 'base64') : Buffer.from(StringValue));
  }
  return digest.digest('hex');
}
