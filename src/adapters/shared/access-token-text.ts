import { crc32 } from 'node:zlib';

/** The digits of base62, in their order. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const CHECKSUM_LENGTH = 6;
const TOKEN = /^jg_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/;

/** A token of the API, `jg_<id 8>_<secret 32><checksum 6>` (platform contract, section 11). */
export function accessTokenText(id: string, secret: string): string {
  const text = `jg_${id}_${secret}`;
  return text + checksumOf(text);
}

/** Whether a text may be a token of the API: the checksum reveals a typing error without asking the store. */
export function isAccessToken(text: string): boolean {
  if (!TOKEN.test(text)) return false;
  return text.slice(-CHECKSUM_LENGTH) === checksumOf(text.slice(0, -CHECKSUM_LENGTH));
}

/** CRC-32 in base62, the most significant digit first. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}
