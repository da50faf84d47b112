import { luaScript } from '../../../src/adapters/outbound/redis/lua/load.ts';
import type { Script } from '../../../src/adapters/outbound/redis/lua/script.ts';
import * as adds from '../../../src/adapters/outbound/redis/scripts/adds.ts';
import * as attempts from '../../../src/adapters/outbound/redis/scripts/attempts.ts';
import * as events from '../../../src/adapters/outbound/redis/scripts/events.ts';
import * as families from '../../../src/adapters/outbound/redis/scripts/families.ts';
import * as groups from '../../../src/adapters/outbound/redis/scripts/groups.ts';
import * as kept from '../../../src/adapters/outbound/redis/scripts/kept.ts';
import * as limits from '../../../src/adapters/outbound/redis/scripts/limits.ts';
import * as reading from '../../../src/adapters/outbound/redis/scripts/reading.ts';
import { luaRooms } from './lua-rooms.ts';

const ROOMS = [adds, attempts, events, families, groups, kept, limits, reading];

const TYPED = new Map<string, Script>(
  ROOMS.flatMap((room) => Object.values<Script>(room)).map((each) => [each.name, each]),
);

/** All scripts as the store runs them, by name. */
export function assembledScripts(): ReadonlyMap<string, Script> {
  const scripts = luaRooms().scripts.map((path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return [name, TYPED.get(name) ?? luaScript(path)] as const;
  });
  return new Map(scripts);
}
