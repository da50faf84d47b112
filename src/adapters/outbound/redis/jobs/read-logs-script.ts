import type { Script } from '../connection/scripts.ts';
import { LARGEST_PIECE } from '../layout/largest-piece.ts';

/** Estimated bytes of a line where the store cannot report the size of the log. */
const PRESUMED_LINE = 65_536;

/**
 * KEYS: job, logs. ARGV: first and last position. Answers the number of lines, the bytes they take together,
 * estimated where there are very many, and unless that is more than one command reads those asked for.
 */
export const readLogsScript: Script = {
  name: 'readLogs',
  numberOfKeys: 2,
  lua: `
if redis.call("TYPE", KEYS[1]).ok ~= "hash" or redis.call("HEXISTS", KEYS[1], "timestamp") == 0 then
  return false
end
local count = redis.call("LLEN", KEYS[2])
local size = redis.pcall("MEMORY", "USAGE", KEYS[2], "SAMPLES", "1000")
if type(size) ~= "number" then size = count * ${PRESUMED_LINE} end
if size > ${LARGEST_PIECE} then return {count, size} end
if tonumber(ARGV[2]) < tonumber(ARGV[1]) then return {count, size, {}} end
return {count, size, redis.call("LRANGE", KEYS[2], ARGV[1], ARGV[2])}
`,
};
