import { JobgateError } from 'jobgate-client';
import type { Invocation } from '../invocation.ts';
import { codeOf, inShort } from '../service/refusal.ts';
import { nameOnly, type SettingName } from './setting-set.ts';

/** A setting that is not stored, and why. */
export interface Refusal extends SettingName {
  readonly reason: string;
}

/** A setting cannot be stored as its file has it. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** Statuses that concern the whole run rather than one setting. */
const OF_THE_RUN = [401, 429];

/** The result of some work on a setting, or why the setting is refused. Other errors pass. */
export async function attempted<Done>(
  call: Invocation,
  setting: SettingName,
  work: () => Promise<Done>,
): Promise<{ readonly done: Done } | { readonly refusal: Refusal }> {
  try {
    return { done: await work() };
  } catch (error) {
    if (error instanceof Refused)
      return { refusal: { ...nameOnly(setting), reason: error.message } };
    if (!(error instanceof JobgateError) || !isOfSetting(error)) throw error;
    return { refusal: { ...nameOnly(setting), reason: inShort(error, call) } };
  }
}

function isOfSetting(error: JobgateError): boolean {
  const { status } = error;
  const isRefusal = status >= 400 && status < 500 && !OF_THE_RUN.includes(status);
  return isRefusal && !['', 'path-not-found'].includes(codeOf(error));
}
