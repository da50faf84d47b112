import { counted } from '../../rules/counted.ts';
import { escapedJson } from './escaped-json.ts';
import { coloured } from './marks.ts';
import { widthOf } from './width.ts';

/** A name and its value; fields without a value are omitted. */
export type Field = readonly [name: string, value: string | number | boolean | null | undefined];

/** Fields, one per line; further lines of a value are aligned with its first one. */
export function fields(all: readonly Field[]): string {
  const shown = all.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(0, ...shown.map(([name]) => widthOf(name)));
  return shown
    .map(([name, value]) => {
      const text = String(value).replaceAll('\n', `\n${' '.repeat(width + 2)}`);
      return `${coloured(name.padEnd(width), 'dim')}  ${text}`;
    })
    .join('\n');
}

/** An object on one line, such as `max 10, duration 1000`. */
export function inOneLine(value: object | null | undefined): string {
  if (value === null || value === undefined) return '';
  return Object.entries(value)
    .map(([name, each]) => `${name} ${typeof each === 'string' ? each : JSON.stringify(each)}`)
    .join(', ');
}

/** JSON on one line. */
const SHORT = 60;

/**
 * JSON for people. @param most maximum length in characters; longer JSON is cut, followed by the command that prints it
 * all.
 */
export function json(value: unknown, most = Infinity, rest = ''): string {
  if (value === undefined) return '';
  const line = escapedJson(value, 'one line');
  const text = line.length <= SHORT ? line : escapedJson(value, 'indented');
  return text.length > most ? `${text.slice(0, most)}…\n(${rest} prints all of it)` : text;
}

/** Lines, except those without a text. */
export function lines(...all: readonly (string | undefined)[]): string {
  return all.filter(Boolean).join('\n');
}

export function jobCount(count: number): string {
  return counted(count, 'job');
}
