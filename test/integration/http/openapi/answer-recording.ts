import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Answer } from '../support/http-service.ts';

const FILE = join(import.meta.dirname, 'recorded-answers.json');

/** What differs from run to run, and what stands for it in the recording. */
const DRAWN: readonly (readonly [RegExp, string])[] = [
  [/\bjg_[A-Za-z0-9_-]+/g, '<token>'],
  [/\bwhsec_[A-Za-z0-9+/=]+/g, '<secret>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/\b[0-9a-f]{64}\b/g, '<sha256>'],
  [/\b\d{14}-\d{6}-[\w-]+/g, '<entry>'],
  [/\bv1,[A-Za-z0-9+/=]+/g, '<signature>'],
  [/\b(20\d\d-\d\d-\d\dT[\d:.]+Z)/g, '<time>'],
  [/\b1[6-9]\d{11}\b/g, '<ms>'],
  [/127\.0\.0\.1:\d+/g, '<address>'],
  [/untrusted-data-[0-9a-f]+/g, '<mark>'],
  [/"(durationMs|usedMemory|webhook-timestamp)":"?[\d.]+"?/g, '"$1":<number>'],
  [/"(ticket|token|webhook-id|webhook-signature)":"[^"]+"/g, '"$1":"<drawn>"'],
];

/** The headers that clients rely on. */
const HEADERS = ['content-type', 'cache-control', 'www-authenticate', 'retry-after', 'allow'];

/** Other tests compare the documentation with its source. */
const DOCUMENTATION = /^read(?:OpenApi|Docs) /;

/**
 * The answers to all calls of the OpenAPI document, beside those that were recorded: `RECORD=answers` records them
 * anew, after a change that is meant.
 */
export class AnswerRecording {
  readonly answers: Record<string, string> = {};

  note(title: string, { status, headers, text }: Answer): void {
    if (DOCUMENTATION.test(title)) return;
    const shown = HEADERS.map((name) => headers.get(name) ?? '-').join(' | ');
    let body = text;
    for (const [pattern, word] of DRAWN) body = body.replaceAll(pattern, word);
    let key = title;
    for (let again = 2; key in this.answers; again += 1) key = `${title} (${again})`;
    this.answers[key] = `${status} | ${shown}\n${body}`;
  }

  /** Those of the recording. */
  recorded(): Record<string, string> {
    if (process.env['RECORD'] === 'answers') {
      writeFileSync(FILE, `${JSON.stringify(this.answers, null, 2)}\n`);
    }
    return JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string>;
  }
}
