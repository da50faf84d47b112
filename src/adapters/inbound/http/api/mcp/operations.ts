import type { Reply } from '../../messages/reply.ts';
import type { InnerCall, Route, RoutedCall } from '../route.ts';

/** The part of a call that a tool chooses. */
export interface OperationInput extends Partial<Omit<InnerCall, 'route'>> {
  /** Runs once every check of the route has passed, and before the route is handled. */
  readonly before?: () => Promise<void>;
}

/** The operations of the API by their ids, for one caller. */
export class Operations {
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #perform: RoutedCall['perform'];

  constructor(routes: ReadonlyMap<string, Route>, perform: RoutedCall['perform']) {
    this.#routes = routes;
    this.#perform = perform;
  }

  /** The text of the answer to an operation. @throws the error that refuses the operation. */
  async run(
    operationId: string,
    { before, parameters = {}, ...input }: OperationInput = {},
  ): Promise<string> {
    const route = this.#routes.get(operationId);
    if (route === undefined) throw new Error(`There is no operation ${operationId}`);
    return textOf(await this.#perform({ route: preceded(before, route), parameters, ...input }));
  }

  /** The answer to an operation that returns an object. @throws the error that refuses the operation. */
  async read(operationId: string, input?: OperationInput): Promise<Record<string, unknown>> {
    return JSON.parse(await this.run(operationId, input)) as Record<string, unknown>;
  }
}

function preceded(before: OperationInput['before'], route: Route): Route {
  if (before === undefined) return route;
  return {
    ...route,
    handle: async (call) => {
      await before();
      return route.handle(call);
    },
  };
}

async function textOf(reply: Reply): Promise<string> {
  if ('body' in reply) return reply.body.toString();
  if (!('pieces' in reply)) throw new Error('A tool cannot answer what has no end');
  const pieces: string[] = [];
  for await (const piece of reply.pieces) pieces.push(piece);
  return pieces.join('');
}
