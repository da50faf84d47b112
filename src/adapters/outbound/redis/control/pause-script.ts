import { pause } from 'bullmq/dist/cjs/scripts/index.js';
import { patchScript, type Patch } from '../attempts/script-patch.ts';
import type { Script } from '../connection/scripts.ts';
import { CREATE_QUEUE } from '../registry/create-queue.ts';

/** The number of the registry's key: the library's script has seven. */
const REGISTRY = 8;

const PATCHES: readonly Patch[] = [
  {
    purpose: 'change nothing and write no event when the queue already is in the requested state',
    find: 'local markerKey = KEYS[7]\n',
    replace: `local isPaused = rcall("HEXISTS", KEYS[3], "paused") == 1
if ARGV[1] == "paused" and isPaused then return 0 end
if ARGV[1] == "resumed" and not isPaused and rcall("EXISTS", KEYS[1]) == 0 then return 0 end
local markerKey = KEYS[7]
`,
  },
  {
    purpose:
      'create a queue that stays when it is resumed, even when the memory of the store is used up',
    find: '    rcall("HSET", KEYS[3], "paused", 1)\n',
    replace: `    rcall("DEL", markerKey)
    createQueue(KEYS[${REGISTRY}], KEYS[3])
    rcall("HSET", KEYS[3], "paused", 1)
`,
  },
];

/**
 * BullMQ's own script, which all its clients respect: a field of the queue's metadata keeps them from taking jobs, an
 * event reports the change, and the marker wakes an idle client when the queue is resumed. Each client that takes a job
 * then wakes another. The registry lists a queue that it creates.
 *
 * KEYS: those of the library's script; the registry.
 *
 * @throws Error when a patch does not fit the installed library.
 */
export function pauseScript(): Script {
  const { name, lua } = patchScript(pause, PATCHES);
  return { name, lua: CREATE_QUEUE + lua, numberOfKeys: REGISTRY };
}
