import {
  mapMethods,
  type Method,
  type Nature,
  type Natures,
} from '../../../../application/ports/nature.ts';
import { onceStored } from '../../memory/ports/stored-reads.ts';
import type { Rounds } from './rounds.ts';

/** A port of the memory store as one of all replicas: its changes are stored before they are answered. */
export function sharedPort<Port extends object>(
  port: Port,
  natures: Natures<Port>,
  rounds: Rounds,
): Port {
  return mapMethods(port, natures, (method, { is, inPieces }) =>
    inPieces === true ? method : sharedMethod(method, is, rounds),
  );
}

function sharedMethod(method: Method, nature: Nature, rounds: Rounds): Method {
  switch (nature) {
    case 'local':
    case 'waits':
      return method;
    case 'streams queue':
    case 'streams store':
      return async function* (...given) {
        await rounds.read(() => undefined);
        yield* onceStored(method(...given), () => rounds.stored()) as AsyncGenerator;
      };
    case 'reads job':
    case 'reads queue':
    case 'reads store':
    case 'looks':
      return (...given) => {
        const answer = rounds.read(() => method(...given));
        return onceStored(answer, () => rounds.stored());
      };
    default:
      return (...given) => rounds.change(() => method(...given));
  }
}
