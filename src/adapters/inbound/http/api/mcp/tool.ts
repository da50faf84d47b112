import type { OperationTerms } from '../../../../../application/operations/operation.ts';
import { rightOf } from '../../../../../domain/access/required-access.ts';
import type { Right } from '../../../../../domain/access/right.ts';
import {
  object,
  type Fields,
  type JsonSchema,
  type Members,
  type Shape,
} from '../../../../../domain/values/shape.ts';
import { mistaken } from '../../messages/mistakes.ts';
import { shapeMistakes } from '../schemas/shape-mistakes.ts';
import type { ListPart } from './fitted-list.ts';
import type { ToolUse } from './tool-use.ts';

/** The effect of a tool on the service, which clients show before they let it be called (MCP, tool annotations). */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** Whether the tool reaches beyond the service. */
  readonly openWorldHint: boolean;
}

/** A tool as clients list it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly annotations: ToolAnnotations;
}

export type ToolData = Readonly<Record<string, unknown>>;

export interface ToolAnswer {
  /** Text by the service itself. It must not contain anything from jobs. */
  readonly text?: string;
  /** Data from the service, which may contain data of jobs. */
  readonly data?: object;
  /** The list in the data that is shortened where the answer would be too long. */
  readonly list?: ListPart;
  /** Whether the service made all of the data, so that a client may show it without the warning. */
  readonly isOwn?: boolean;
}

/** One tool. The operations that it calls enforce what it may do; its right only decides which callers see it. */
export interface Tool {
  readonly right: Right | undefined;
  readonly listed: ListedTool;
  /** Of the input, with the bounds of texts, which the listed schema leaves out. */
  readonly shape: Shape<object>;
  /** @throws DomainError `invalid-request` naming the argument, or the error with which an operation refuses the call. */
  call(input: unknown, use: ToolUse): Promise<ToolAnswer>;
}

interface ToolDefinition<Input extends Fields> {
  readonly name: string;
  readonly description: string;
  /** The operation that it performs, or one of them, whose right is that of the tool. */
  readonly of: OperationTerms;
  /** The annotations that are not those of every tool that reads, or that changes something. */
  readonly hints?: Partial<ToolAnnotations>;
  readonly input: Input;
  call(input: Members<Input>, use: ToolUse): Promise<ToolAnswer>;
}

/** Declares a tool. The type, the check and the schema of its input follow from the fields, its right from `of`. */
export function tool<Input extends Fields>(definition: ToolDefinition<Input>): Tool {
  const { name, description, hints, input: fields } = definition;
  const right = rightOf(definition.of.access);
  const shape = object(name, fields);
  const isReading = right === 'read';
  const annotations = {
    readOnlyHint: isReading,
    destructiveHint: false,
    idempotentHint: isReading,
    openWorldHint: false,
    ...hints,
  };
  return {
    right,
    shape,
    listed: { name, description, inputSchema: described(shape.schema), annotations },
    call: (input, use) => {
      const mistakes = shapeMistakes(shape, input, []);
      if (mistakes.length > 0) throw mistaken(mistakes, input);
      return definition.call(input as Members<Input>, use);
    },
  };
}

/**
 * The schema without what says nothing to a language model: names of its parts, examples, the largest integer, how long
 * a text may be.
 */
function described(schema: JsonSchema): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (name, value: unknown) => {
      if (name === 'title' && typeof value === 'string') return undefined;
      if (name === 'examples' && Array.isArray(value)) return undefined;
      if (name === 'maxLength' && typeof value === 'number') return undefined;
      return value === Number.MAX_SAFE_INTEGER ? undefined : value;
    }),
  ) as JsonSchema;
}
