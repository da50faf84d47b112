import { isObject } from '../../../../domain/values/json.ts';
import type { Members } from '../wire/members.ts';
import { invalidParameter, type SqsError } from '../wire/sqs-error.ts';
import { firstForbidden } from './message-characters.ts';

/** An attribute of a message, as it is sent, stored and received. Binary values are in Base64. */
export interface MessageAttribute {
  /** `String`, `Number` or `Binary`, with a label of the sender's behind a dot if it likes. */
  readonly DataType: string;
  readonly StringValue?: string;
  readonly BinaryValue?: string;
}

export type MessageAttributes = Readonly<Record<string, MessageAttribute>>;

type Given = ReadonlyMap<string, Members> | undefined;

const MOST_ATTRIBUTES = 10;
const MAX_LENGTH = 256;

/** The most characters of a number: its digits, sign, point and exponent. */
const MAX_NUMBER = 300;

const NAME = /^[A-Za-z0-9_.-]+$/;
const RESERVED = /^(?:aws|amazon)\./i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Whether an attribute holds bytes. */
export function isBinary({ DataType }: MessageAttribute): boolean {
  return baseType(DataType) === 'Binary';
}

/** @throws SqsError `InvalidParameterValue` naming the attribute. */
export function messageAttributes(given: Given): MessageAttributes | undefined {
  const size = given?.size ?? 0;
  if (size > MOST_ATTRIBUTES) {
    throw invalidParameter(
      `Number of message attributes [${size}] exceeds the allowed maximum [${MOST_ATTRIBUTES}].`,
    );
  }
  return attributesOf(given, (name, members) => {
    checkName(name);
    return messageAttribute(name, members);
  });
}

/** The attributes for the service: only the header of a trace (`AWSTraceHeader`). */
export function systemAttributes(given: Given): MessageAttributes | undefined {
  return attributesOf(given, (name, members) => {
    if (name !== 'AWSTraceHeader') {
      throw invalidParameter(`Message system attribute name '${name}' is invalid.`);
    }
    const attribute = messageAttribute(name, members);
    if (attribute.DataType === 'String') return attribute;
    throw invalidParameter(`The message system attribute '${name}' must use type 'String'.`);
  });
}

function attributesOf(
  given: Given,
  read: (name: string, members: Members) => MessageAttribute,
): MessageAttributes | undefined {
  if (given === undefined || given.size === 0) return undefined;
  return Object.fromEntries(
    Array.from(given, ([name, members]) => [name, read(name, members)] as const),
  );
}

/** Whether data of a job holds attributes as they are stored. */
export function isAttributes(value: unknown): value is MessageAttributes {
  return (
    isObject(value) &&
    Object.values(value).every(
      (each) =>
        isObject(each) &&
        typeof each['DataType'] === 'string' &&
        (typeof each['StringValue'] === 'string' || typeof each['BinaryValue'] === 'string'),
    )
  );
}

function checkName(name: string): void {
  const isAllowed =
    NAME.test(name) &&
    name.length <= MAX_LENGTH &&
    name !== '__proto__' &&
    !RESERVED.test(name) &&
    !/^\.|\.$|\.\./.test(name);
  if (isAllowed) return;
  throw invalidParameter(
    `The message attribute name '${name}' is invalid. Attribute name can contain A-Z, a-z, 0-9, underscore (_), ` +
      'hyphen (-), and period (.) characters, does not begin with AWS. or Amazon., and has at most 256 characters.',
  );
}

function messageAttribute(name: string, members: Members): MessageAttribute {
  const type = members.text('DataType') ?? '';
  if (type === '') {
    throw invalidParameter(
      `The message attribute '${name}' must contain a non-empty attribute type.`,
    );
  }
  const base = baseType(type);
  if (base === undefined || type.length > MAX_LENGTH) {
    throw invalidParameter(
      `The message attribute '${name}' has an invalid message attribute type, the set of supported type prefixes is ` +
        'Binary, Number, and String.',
    );
  }
  for (const list of ['StringListValues', 'BinaryListValues']) {
    if ((members.texts(list)?.length ?? 0) > 0) {
      throw invalidParameter(
        'Message attribute list values in SendMessage operation are not supported.',
      );
    }
  }
  return base === 'Binary' ? binary(name, type, members) : textual(name, type, base, members);
}

function binary(name: string, type: string, members: Members): MessageAttribute {
  const value = members.text('BinaryValue');
  if (value === undefined || value === '') throw emptyValue(name, type);
  if (members.has('StringValue')) throw twoValues(name);
  if (!BASE64.test(value)) {
    throw invalidParameter(`The message attribute '${name}' with type 'Binary' must be in Base64.`);
  }
  return { DataType: type, BinaryValue: value };
}

function textual(
  name: string,
  type: string,
  base: 'String' | 'Number',
  members: Members,
): MessageAttribute {
  const value = members.text('StringValue');
  if (value === undefined || value === '') throw emptyValue(name, type);
  if (members.has('BinaryValue')) throw twoValues(name);
  if (firstForbidden(value) !== undefined) {
    throw invalidParameter(`Invalid characters were found in the message attribute '${name}'.`);
  }
  if (base === 'Number' && !isNumber(value)) {
    throw invalidParameter(
      `Can't cast the value of message (user) attribute '${name}' to a number.`,
    );
  }
  return { DataType: type, StringValue: value };
}

function isNumber(value: string): boolean {
  return value.length <= MAX_NUMBER && /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(value);
}

function baseType(type: string): 'String' | 'Number' | 'Binary' | undefined {
  const [base, label] = type.split('.', 2);
  if (label === '') return undefined;
  return base === 'String' || base === 'Number' || base === 'Binary' ? base : undefined;
}

function emptyValue(name: string, type: string): SqsError {
  return invalidParameter(
    `The message attribute '${name}' must contain non-empty message attribute value for message attribute type '${type}'.`,
  );
}

function twoValues(name: string): SqsError {
  return invalidParameter(`The message attribute '${name}' has multiple values.`);
}
