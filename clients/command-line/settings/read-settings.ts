import { readFileSync } from 'node:fs';
import { parseAllDocuments, type Document } from 'yaml';
import { isObject } from '../../../src/domain/values/json.ts';
import {
  SETTING_KINDS as KINDS,
  type SettingKind as Kind,
} from '../../../src/domain/values/setting-kinds.ts';
import { UsageError } from '../input/usage-error.ts';
import { placeOf, RULES, type Setting } from './setting.ts';

const KNOWN = ['kind', 'queue', 'id', 'spec'];

/**
 * The settings of YAML or JSON files, `-` for standard input, in the order in which they are to be stored.
 *
 * @throws UsageError for a file that cannot be read, or is not made of such documents, and for a setting that is twice
 * in them.
 */
export function settingsOf(files: readonly string[]): readonly Setting[] {
  const settings = files.flatMap((file) =>
    documentsOf(file).map((document, index) => checked(document, `${file}, document ${index + 1}`)),
  );
  const names = settings.map(nameOf);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new UsageError(`The files have the ${twice} more than once`);
  return KINDS.flatMap((kind) => settings.filter((setting) => setting.kind === kind));
}

/** A setting in words, such as `scheduler nightly of mail`. */
export function nameOf({ kind, queue, id }: Pick<Setting, 'kind' | 'queue' | 'id'>): string {
  const name = id === undefined ? kind : `${kind} ${id}`;
  if (kind === 'hook' || kind === 'limit' || kind === 'topic') return name;
  return `${name} of ${queue ?? 'all queues'}`;
}

/** A JSON array counts as several documents, as `jobgate export --json` prints them. */
function documentsOf(file: string): readonly unknown[] {
  const documents = parseAllDocuments(textOf(file));
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined)
      throw new UsageError(`${file} is not valid YAML: ${error.message.split('\n')[0] ?? ''}`);
    const value = valueOf(document, file);
    if (value === null) return [];
    return Array.isArray(value) ? (value as readonly unknown[]) : [value];
  });
}

/** The library refuses aliases that stand for much more than there is; one that holds itself has no JSON. */
function valueOf(document: Document, file: string): unknown {
  try {
    const value: unknown = document.toJS();
    JSON.stringify(value);
    return value;
  } catch {
    throw new UsageError(
      `${file} has an alias that holds itself, or aliases that stand for too much`,
    );
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function checked(document: unknown, place: string): Setting {
  const must = (text: string): UsageError => new UsageError(`${place}: ${text}`);
  if (!isObject(document)) throw must('it must be an object of kind, queue, id and spec');
  const { kind, queue, id, spec } = document;
  if (!isKind(kind)) throw must(`kind must be one of ${KINDS.join(', ')}`);
  const unknown = Object.keys(document).find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) throw must(`${unknown} is not a field of a document`);
  const { path, pathOfAll } = RULES[kind];
  const [hasQueue, hasId] = [path.includes('<queue>'), path.includes('<id>')];
  const needsQueue = hasQueue && pathOfAll === undefined;
  if ((needsQueue || queue !== undefined) && !isName(queue))
    throw must('queue must be the name of a queue');
  if (!hasQueue && queue !== undefined) throw must(`a ${kind} has no queue`);
  if (hasId ? !isName(id) : id !== undefined)
    throw must(hasId ? `id must be that of the ${kind}` : `a ${kind} has no id`);
  if (kind === 'topic' && !/^[^/]+\/[^/]+$/.test(String(id)))
    throw must('id must be that of a topic and of a subscription, with a slash between them');
  if (!isObject(spec)) throw must('spec must be an object');
  return { kind, ...placeOf(document), spec };
}

function isKind(value: unknown): value is Kind {
  return (KINDS as readonly unknown[]).includes(value);
}

/** A name that can be a segment of a path. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && !/^\.{0,2}$/.test(value);
}
