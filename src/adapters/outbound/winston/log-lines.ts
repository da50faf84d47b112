import { format } from 'winston';
import type { LogFields } from '../../../application/ports/logger-port.ts';
import { loggable } from './loggable.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
  /** The process that writes the line. */
  readonly instance: string;
}

const colouring = format.colorize();

/** The style of lines for people. */
export interface PrettyStyle {
  readonly colours: boolean;
  /** Whether the stacks of errors are indented below it. */
  readonly stacks: boolean;
}

/** One JSON object: `time`, `level`, `message`, `instance` and the fields, which cannot replace these four. */
export function jsonLine({ level, message, fields, instance }: LogEntry): string {
  const own = { time: new Date().toISOString(), level, message, instance };
  return escapeControls(JSON.stringify({ ...own, ...loggable(fields), ...own }));
}

/** One line for people. It does not name the process, whose output they are looking at. */
export function prettyLine({ level, message, fields }: LogEntry, style: PrettyStyle): string {
  const time = new Date().toISOString().slice(11, 23);
  const plainName = level.toUpperCase().padEnd(5);
  const name = style.colours ? colouring.colorize(level, plainName) : plainName;
  const entries = Object.entries(loggable(fields));
  const texts = entries.map(([key, value]) => `${key}=${fieldText(value)}`);
  const line = `${time} ${name} ${escapeControls([message, ...texts].join(' '))}`;
  const stacks = style.stacks ? entries.flatMap(([, value]) => stackLines(value)) : [];
  return [line, ...stacks].join('\n');
}

function fieldText(value: unknown): string {
  const text = isLoggedError(value) ? value.message : value;
  return typeof text === 'string' && /^[\w.:/@+-]+$/.test(text) ? text : JSON.stringify(text);
}

function stackLines(value: unknown): string[] {
  if (!isLoggedError(value) || value.stack === undefined) return [];
  const lines = value.stack.split('\n').map((line) => `    ${escapeControls(line)}`);
  return [...lines, ...stackLines(value.cause)];
}

interface LoggedError {
  readonly message: string;
  readonly stack?: string;
  readonly cause?: unknown;
}

function isLoggedError(value: unknown): value is LoggedError {
  if (typeof value !== 'object' || value === null) return false;
  return 'message' in value && typeof value.message === 'string';
}

/** Escapes characters that end a line or control a terminal as JSON does: unescaped, they could forge a line. */
function escapeControls(text: string): string {
  return text.replace(
    // eslint-disable-next-line no-control-regex
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
