import type { ListedScheduler } from '../../../typescript/src/api.ts';
import { duration } from '../../format/duration.ts';

const DAILY = /^(\d{1,2}) (\d{1,2}) \* \* (\*|[\d,-]+)$/;
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Common patterns in words, others as they are. */
export function repeatInWords({ pattern, every }: ListedScheduler['repeat']): string {
  if (every !== undefined) return `every ${duration(every)}`;
  const text = pattern ?? '';
  if (text === '* * * * *') return 'every minute';
  const [, minute, hour = '', day = ''] = DAILY.exec(text) ?? [];
  if (minute === undefined) return text;
  const time = `at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (day === '*') return `${time}, every day`;
  if (day === '1-5') return `${time}, Monday to Friday`;
  const name = DAYS[Number(day) % 7];
  return name === undefined ? text : `${time}, every ${name}`;
}
