import { flowPlaces, type FlowInput, type FlowJobShape } from '../../../../../domain/flows/flow.ts';
import { piecesOf } from '../../../../../domain/values/pieces.ts';
import { readJson } from '../../messages/json-text.ts';
import { MAX_MISTAKES, mistaken, type Mistake } from '../../messages/mistakes.ts';
import type { BodyFormat } from '../../messages/body-format.ts';
import { shapeMistakes } from './shape-mistakes.ts';

/** How many jobs are checked in one turn of the event loop. */
const JOBS_PER_TURN = 2000;

/** A tree of jobs. Its depth and size are checked before its contents. */
export function flowBody(shape: FlowJobShape): BodyFormat<FlowInput> {
  return {
    expected: 'a flow as a JSON object',
    content: { 'application/json': { schema: shape.schema } },
    parse: async (bytes, turns) => {
      const { value, mistakes } = readJson(bytes);
      const shapes: Mistake[] = [];
      for (const some of piecesOf([...flowPlaces(value)], JOBS_PER_TURN)) {
        if (some.length === JOBS_PER_TURN) await turns.next();
        for (const { value: job, path } of some) {
          if (shapes.length < MAX_MISTAKES) shapes.push(...shapeMistakes(shape, job, path));
        }
      }
      if (mistakes.length + shapes.length > 0) throw mistaken([...mistakes, ...shapes], value);
      return value as unknown as FlowInput;
    },
  };
}
