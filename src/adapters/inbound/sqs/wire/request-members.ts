import { isObject } from '../../../../domain/values/json.ts';
import { Members } from './members.ts';
import { SqsError } from './sqs-error.ts';

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

const TARGET = /^AmazonSQS\.([A-Za-z]+)$/;

/** The operation that the header `X-Amz-Target` names. @throws SqsError `UnknownOperationException`. */
export function operationNamed(target: string | string[] | undefined): string {
  const [, name] = TARGET.exec(typeof target === 'string' ? target : '') ?? [];
  if (name !== undefined) return name;
  throw new SqsError(
    'UnknownOperationException',
    'The header X-Amz-Target must name an operation of SQS, such as AmazonSQS.SendMessage.',
  );
}

/** The members of a request. @throws SqsError `SerializationException`. */
export function membersIn(body: Buffer): Members {
  const value = parsed(body);
  if (!isObject(value)) {
    throw new SqsError('SerializationException', 'The request body must be a JSON object.');
  }
  return new Members(value);
}

function parsed(body: Buffer): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(UTF_8.decode(body));
  } catch {
    throw new SqsError('SerializationException', 'The request body must be JSON in UTF-8.');
  }
}
