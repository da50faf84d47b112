import { digestInterval } from '../../domain/digests/event-digest.ts';
import { isEventName, type EventName } from '../../domain/events/queue-event.ts';
import { EVENT_NAMES } from '../../domain/values/event-names.ts';
import {
  isJobState,
  JOB_STATES,
  JOB_STATUSES,
  type JobState,
} from '../../domain/jobs/job-status.ts';
import { namePatternShape } from '../../domain/queues/name-pattern.ts';
import { pageLength, pageStart } from '../../domain/values/page.ts';
import { boolean, oneOf, optional, type Field, type Shape } from '../../domain/values/shape.ts';
import { excerpt } from '../../domain/values/text.ts';
import type { Option } from './input.ts';

/** The option of an operation that stores a setting. */
export const previewable = {
  dryRun: flag(
    'Whether the setting is only checked: nothing is stored, the answer is what would be',
  ),
};

/** The option of an operation that reads jobs. */
export const summaryView = {
  view: textOption(
    optional(oneOf('summary'), 'With `summary`, jobs without what clients put into them'),
  ),
};

/** A page of things, of at most so many unless a caller says more. */
export function pageOf(things: string, byDefault: number, length = pageLength) {
  return {
    start: wholeNumber(pageStart, 0, `How many ${things} to skip`),
    length: wholeNumber(length, byDefault, `Most ${things} to return`),
  };
}

export function textOption<Text extends string>({
  shape,
  description,
}: Field<Text>): Option<Text | undefined> {
  return {
    kind: 'option',
    description,
    schema: shape.schema,
    parse: (text, refuse) => {
      if (text === undefined || shape.accepts(text)) return text;
      refuse(`must ${shape.must}`);
      return undefined;
    },
  };
}

export function flag(description: string): Option<boolean> {
  return {
    kind: 'option',
    description,
    schema: { ...boolean.schema, default: false },
    parse: (text = 'false', refuse) => {
      if (text !== 'true' && text !== 'false') refuse(`must ${boolean.must}`);
      return text === 'true';
    },
  };
}

export function digestOption(): Option<number | undefined> {
  return numberOption(
    optional(digestInterval, 'Every so many ms a digest of each queue, in place of its events'),
  );
}

export function numberOption({ shape, description }: Field<number>): Option<number | undefined> {
  return {
    kind: 'option',
    description,
    schema: shape.schema,
    parse: (text, refuse) => {
      if (text === undefined) return undefined;
      const value = /^\d+$/.test(text) ? Number(text) : NaN;
      if (!shape.accepts(value)) refuse(`must ${shape.must}`);
      return value;
    },
  };
}

export function wholeNumber(
  shape: Shape<number>,
  byDefault: number,
  description: string,
): Option<number> {
  return {
    kind: 'option',
    description,
    schema: { ...shape.schema, default: byDefault },
    parse: (text, refuse) => {
      if (text === undefined) return byDefault;
      const value = /^\d+$/.test(text) ? Number(text) : NaN;
      if (Number.isNaN(value)) refuse('must be a whole decimal number, 0 or greater');
      else if (!shape.accepts(value)) refuse(`must ${shape.must}`);
      return value;
    },
  };
}

/** The names may have blanks around them. */
export function eventList(): Option<ReadonlySet<EventName> | undefined> {
  const name = ` *(${EVENT_NAMES.join('|')}) *`;
  return {
    kind: 'option',
    description: `Which events: a list, with commas, of ${EVENT_NAMES.join(', ')}; all by default`,
    schema: { type: 'string', pattern: `^${name}(,${name})*$` },
    parse: (text, refuse) => {
      if (text === undefined) return undefined;
      const names = text.split(',').map((each) => each.trim());
      const unknown = names.find((each) => !isEventName(each));
      if (unknown !== undefined) {
        refuse(`must be a list of ${EVENT_NAMES.join(', ')}, but names "${excerpt(unknown)}"`);
      }
      return new Set(names.filter(isEventName));
    },
  };
}

/** Commas separate the patterns; a `*` stands in for the commas of a name. @param most how many there may be. */
export function patternList(most = Infinity): Option<readonly string[] | undefined> {
  const must = 'be a list, with commas, of names, in which "*" stands for any characters';
  return {
    kind: 'option',
    description:
      'Which queues: a list, with commas, of names, in which `*` stands for any characters',
    schema: { type: 'string', pattern: '^[^,]+(,[^,]+)*$', examples: ['mail-*,news'] },
    parse: (text, refuse) => {
      const patterns = text?.split(',').map((each) => each.trim());
      if ((patterns?.length ?? 0) > most) refuse(`must have at most ${most} names`);
      else if (patterns?.every((each) => namePatternShape.accepts(each)) === false) {
        refuse(`must ${must}`);
      }
      return patterns;
    },
  };
}

/** The names may have blanks around them. `all` stands for every status but `waiting-children`. */
export function statusList(): Option<readonly JobState[]> {
  const accepted = [...JOB_STATES, 'all'];
  const name = ` *(${accepted.join('|')}) *`;
  return {
    kind: 'option',
    description: `Which jobs: a list, with commas, of ${accepted.join(', ')}`,
    schema: { type: 'string', pattern: `^${name}(,${name})*$`, default: 'all' },
    parse: (text, refuse) => {
      if (text === undefined || text === 'all') return JOB_STATUSES;
      const names = text.split(',').map((each) => each.trim());
      const unknown = names.find((each) => !accepted.includes(each));
      if (unknown !== undefined) {
        refuse(`must be a list of ${accepted.join(', ')}, but names "${excerpt(unknown)}"`);
      }
      const states = names.filter(isJobState);
      return names.includes('all') ? [...new Set([...JOB_STATUSES, ...states])] : states;
    },
  };
}
