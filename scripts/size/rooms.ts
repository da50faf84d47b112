/** A part of the house, and the most code lines that it may have: each change that makes it smaller lowers this. */
export interface Room {
  readonly name: string;
  /** The first room with the folder of a file has the file. */
  readonly folders: readonly string[];
  readonly most: number;
}

const INBOUND = 'src/adapters/inbound';
const OUTBOUND = 'src/adapters/outbound';

export const ROOMS: readonly Room[] = [
  { name: 'domain', folders: ['src/domain'], most: 11434 },
  { name: 'application', folders: ['src/application'], most: 15615 },
  { name: 'inbound/exchange', folders: [`${INBOUND}/exchange`], most: 844 },
  { name: 'inbound/http', folders: [`${INBOUND}/http`], most: 4270 },
  { name: 'inbound/sqs', folders: [`${INBOUND}/sqs`], most: 1235 },
  { name: 'inbound/qstash', folders: [`${INBOUND}/qstash`], most: 606 },
  { name: 'outbound/redis', folders: [`${OUTBOUND}/redis`], most: 6899 },
  { name: 'outbound/redis, Lua', folders: [`${OUTBOUND}/redis`], most: 6238 },
  { name: 'outbound/memory', folders: [`${OUTBOUND}/memory`], most: 5782 },
  { name: 'outbound/embedded', folders: [`${OUTBOUND}/embedded`], most: 1983 },
  { name: 'outbound/postgres', folders: [`${OUTBOUND}/postgres`], most: 1985 },
  { name: 'outbound, others', folders: [OUTBOUND], most: 2600 },
  { name: 'adapters/shared', folders: ['src/adapters/shared'], most: 250 },
  { name: 'infrastructure', folders: ['src/infrastructure'], most: 2585 },
  { name: 'command line', folders: ['clients/command-line'], most: 4236 },
  { name: 'client rules', folders: ['clients/rules'], most: 56 },
  { name: 'dashboard', folders: ['clients/dashboard'], most: 6715 },
];
