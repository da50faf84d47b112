import type { SettingSetOperations } from '../../../../../application/operations/setting-set-operations.ts';
import { jsonContent } from '../../messages/operation.ts';
import { route, type Route } from '../route.ts';
import { settingSetChangeBody } from '../schemas/body-formats.ts';
import { changedSettingSetAnswer, settingSetAnswer } from '../schemas/setting-set-answers.ts';
import { settingSetPageQuery } from '../schemas/query-schemas.ts';

/** Which settings clients keep in their files (reach contract, section 19). */
export function settingSetRoutes(sets: SettingSetOperations): readonly Route[] {
  const one = { tag: 'Settings', path: '/setting-sets/:set' } as const;

  return [
    route({
      ...one,
      method: 'PATCH',
      operation: sets.change,
      summary: 'Change which settings belong to a set',
      description:
        'A set remembers which settings the files of a client have, for `jobgate apply --prune`. ' +
        'The settings themselves stay as they are, and need not exist.',
      replies: { 200: jsonContent(changedSettingSetAnswer, 'How many settings the set has') },
      errors: ['too-many-settings'],
      body: settingSetChangeBody,
    }),
    route({
      ...one,
      method: 'GET',
      operation: sets.read,
      summary: 'Read which settings belong to a set',
      description:
        'Settings of queues that the token may not use are left out of the pages, but are in `total`.',
      replies: { 200: jsonContent(settingSetAnswer, 'The settings, by kind, queue and id') },
      query: settingSetPageQuery,
    }),
  ];
}
