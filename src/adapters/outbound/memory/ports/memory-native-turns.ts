import type { NativeTurnPort } from '../../../../application/ports/native-turn-port.ts';

/** Native workers cannot reach the memory of this process. */
export function memoryNativeTurns(): NativeTurnPort {
  return { queues: () => Promise.resolve([]), stage: () => Promise.resolve(false) };
}
