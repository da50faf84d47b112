import { flowPlaces, type FlowInput, type FlowJobShape } from '../../../../../domain/flows/flow.ts';
import { readJson } from '../../messages/json-text.ts';
import { MAX_MISTAKES, mistaken, type Mistake } from '../../messages/mistakes.ts';
import type { BodyFormat } from '../../messages/request-body.ts';
import { shapeMistakes } from './shape-mistakes.ts';

/** A tree of jobs. Its depth and size are checked before its contents. */
export function flowBody(shape: FlowJobShape): BodyFormat<FlowInput> {
  return {
    expected: 'a flow as a JSON object',
    content: { 'application/json': { schema: shape.schema } },
    parse: (bytes) => {
      const { value, mistakes } = readJson(bytes);
      const shapes: Mistake[] = [];
      for (const { value: job, path } of [...flowPlaces(value)]) {
        if (shapes.length >= MAX_MISTAKES) break;
        shapes.push(...shapeMistakes(shape, job, path));
      }
      if (mistakes.length + shapes.length > 0) throw mistaken([...mistakes, ...shapes], value);
      return value as unknown as FlowInput;
    },
  };
}
