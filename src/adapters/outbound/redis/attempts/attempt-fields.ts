import { PROCESSED_BY } from './attempt-record-lua.ts';
import { ATTEMPT, PULLED_BY } from './attempt-token.ts';

/** Lua: the fields of a job's hash that are removed when its attempt ends, as arguments of a command. */
export const ATTEMPT_FIELDS = `"${ATTEMPT}", "${PROCESSED_BY}", "${PULLED_BY}"`;
