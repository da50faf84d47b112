import type {
  AttemptEnding,
  AttemptKey,
  ReportOutcome,
} from '../../../../application/ports/attempt-port.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { Script, ScriptArgument } from '../connection/scripts.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { runInTime } from '../connection/timely-run.ts';
import { CAME_LATE, untilDeadline } from '../connection/until-deadline.ts';
import { endedCall } from '../layout/attempt-lines.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { delayKeys, type AttemptEndings } from './attempt-endings.ts';
import { isToken } from './attempt-token.ts';
import type { LibraryScripts } from './library-scripts.ts';
import type { PlainAttempts } from './plain-attempts.ts';
import { REMEMBER_REPORT, REPORTS } from './report-lua.ts';

/** What a report said of an attempt, as it is remembered: with the job's id, so that no other job is meant. */
type Report = 'completed' | 'failed' | 'released';

/** What a script answers for an attempt that was ended by the same report before. */
const REPEATED = 'repeated';

/** Ends attempts as those who hold their tokens say, and remembers that in the same step. */
export class ReportedEndings {
  readonly #commands: StoreCommands;
  readonly #releaseScript: Script;
  readonly #delayScript: Script;
  readonly #endings: AttemptEndings;
  readonly #plain: PlainAttempts;
  readonly #clock: ClockPort;
  readonly #replica: string;
  readonly #reporting = new Map<Script, Script>();

  /** @param replica the name under which the attempts go on record. */
  constructor(
    commands: StoreCommands,
    library: LibraryScripts,
    endings: AttemptEndings,
    plain: PlainAttempts,
    clock: ClockPort,
    replica: string,
  ) {
    this.#commands = commands;
    this.#releaseScript = untilDeadline(reportingScript(library.release));
    this.#delayScript = untilDeadline(reportingScript(library.delay));
    this.#endings = endings;
    this.#plain = plain;
    this.#clock = clock;
    this.#replica = replica;
  }

  async end(keys: QueueKeys, attempt: AttemptKey, ending: AttemptEnding): Promise<ReportOutcome> {
    if (!isToken(attempt.token)) return 'refused';
    const report = ending.kind === 'completed' ? 'completed' : 'failed';
    if (ending.kind === 'completed') {
      const returnvalue = JSON.stringify(ending.returnvalue);
      const call = ending.call ? endedCall(ending.call, this.#replica) : '';
      const { jobId, token } = attempt;
      const completed = { jobId, token, returnvalue, call, isReported: true };
      const answer = await this.#plain.take(keys, { completed, keep: ending.keep });
      if (answer !== undefined) return 'recorded';
    }
    const answer = await this.#endings.end(
      keys,
      attempt,
      ending,
      undefined,
      (script, names, args) => this.#run(script, names, args, keys, attempt, report),
    );
    return outcomeOf(answer);
  }

  /**
   * Puts the job back as if the attempt had never started, at the head of its place or after `delay` ms. Nothing is done
   * later when the store did not answer in time.
   */
  async release(keys: QueueKeys, attempt: AttemptKey, delay: number): Promise<ReportOutcome> {
    if (!isToken(attempt.token)) return 'refused';
    const { jobId, token } = attempt;
    if (delay === 0) {
      const args = [jobId, token, keys.jobPrefix + jobId];
      return this.#release(keys, attempt, this.#releaseScript, releaseKeys(keys), args);
    }
    // Without an attempt that counts, fields to change, a claim that goes along, anything on record, or a verdict.
    const nothing = ['1', '', 0, '', '', ''];
    const args = [keys.jobPrefix, this.#clock.now(), jobId, token, delay, ...nothing];
    return this.#release(keys, attempt, this.#delayScript, delayKeys(keys, jobId), args);
  }

  /** Whether a report ended the attempt lately. */
  async wasReported(keys: QueueKeys, { jobId, token }: AttemptKey): Promise<boolean> {
    const told = await this.#commands.scripts.run(readReportScript, [reportKey(keys, token)], []);
    return typeof told === 'string' && told.endsWith(`:${jobId}`);
  }

  async #release(
    keys: QueueKeys,
    attempt: AttemptKey,
    script: Script,
    names: readonly string[],
    args: readonly ScriptArgument[],
  ): Promise<ReportOutcome> {
    const run = reportRun(keys, attempt, 'released', names, args);
    const answer = await runInTime(this.#commands, {
      script,
      keys: run.keys,
      args: (deadline) => [...run.args, deadline],
      count: run.args.length,
      size: 0,
      isTooLate: (told) => told === CAME_LATE,
      what: 'a release',
    });
    return outcomeOf(answer);
  }

  #run(
    script: Script,
    names: readonly string[],
    args: readonly ScriptArgument[],
    keys: QueueKeys,
    attempt: AttemptKey,
    report: Report,
  ): Promise<unknown> {
    let reporting = this.#reporting.get(script);
    if (reporting === undefined) {
      reporting = reportingScript(script);
      this.#reporting.set(script, reporting);
    }
    const run = reportRun(keys, attempt, report, names, args);
    return this.#commands.scripts.run(reporting, run.keys, run.args);
  }
}

/** What the script that ends an attempt takes, with where the report is remembered. */
function reportRun(
  keys: QueueKeys,
  { jobId, token }: AttemptKey,
  report: Report,
  names: readonly string[],
  args: readonly ScriptArgument[],
) {
  return {
    keys: [...names, reportKey(keys, token), keys.accepted, keys.acceptances],
    args: [...args, `${report}:${jobId}`, jobId],
  };
}

/** The keys of the script that releases a job. */
export function releaseKeys(keys: QueueKeys): readonly string[] {
  return [
    keys.active,
    keys.wait,
    keys.stalled,
    keys.paused,
    keys.meta,
    keys.limiter,
    keys.prioritized,
    keys.marker,
    keys.events,
  ];
}

/** Where a report is remembered. */
function reportKey({ jobPrefix }: QueueKeys, token: string): string {
  return jobPrefix + REPORTS + token;
}

const readReportScript: Script = {
  name: 'readReport',
  numberOfKeys: 1,
  lua: 'return redis.call("GET", KEYS[1])',
};

/**
 * The script that ends an attempt, and then remembers the report. One whose attempt has ended is repeated when it says
 * the same. KEYS and ARGV are those of the script; behind them where the report is remembered, and the accepted jobs;
 * the report and the job's id.
 */
function reportingScript({ name, lua, numberOfKeys }: Script): Script {
  const [memory, accepted, acceptances] = [numberOfKeys + 1, numberOfKeys + 2, numberOfKeys + 3];
  return {
    name: `${name}Reported`,
    numberOfKeys: acceptances,
    lua: `
${REMEMBER_REPORT}
local function ending()
${lua}
end
local answer = ending()
local report, jobId = ARGV[#ARGV - 1], ARGV[#ARGV]
if type(answer) == "number" and answer < 0 then
  return redis.call("GET", KEYS[${memory}]) == report and "${REPEATED}" or answer
end
rememberReport(KEYS[${memory}], KEYS[${accepted}], KEYS[${acceptances}], report, jobId)
return answer
`,
  };
}

function outcomeOf(answer: unknown): ReportOutcome {
  if (answer === REPEATED) return 'repeated';
  return typeof answer === 'number' && answer < 0 ? 'refused' : 'recorded';
}
