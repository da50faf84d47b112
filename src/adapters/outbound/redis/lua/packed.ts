import { Packr } from 'msgpackr';

const packr = new Packr({ useRecords: false, encodeUndefinedAsNil: true });

/** A value as scripts unpack it (MessagePack). */
export function packed(value: unknown): Buffer {
  // The packer reuses its buffer, and the command may be written later.
  return Buffer.from(packr.pack(value));
}
