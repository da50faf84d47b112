import type { AttemptEnding } from '../../../../domain/attempts/ending.ts';
import type { AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { ReportOutcome } from '../../../../domain/attempts/attempt-report.ts';
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

/** A report on an attempt as the store remembers it: with the job's id, so that it matches no other job. */
type Report = 'completed' | 'failed' | 'released';

/** The answer for an attempt that the same report ended before. */
const REPEATED = 'repeated';

/** Ends attempts as the holders of their tokens report, and remembers the report in the same step. */
export class ReportedEndings {
  readonly #commands: StoreCommands;
  readonly #releaseScript: Script;
  readonly #delayScript: Script;
  readonly #endings: AttemptEndings;
  readonly #plain: PlainAttempts;
  readonly #clock: ClockPort;
  readonly #replica: string;
  readonly #reporting = new Map<Script, Script>();

  /** @param replica the name under which the attempts are recorded. */
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
   * Puts the job back as if the attempt had never started, at the head of its list or after `delay` ms. When the store
   * does not answer in time, it changes nothing later.
   */
  async release(keys: QueueKeys, attempt: AttemptKey, delay: number): Promise<ReportOutcome> {
    if (!isToken(attempt.token)) return 'refused';
    const { jobId, token } = attempt;
    if (delay === 0) {
      const args = [jobId, token, keys.jobPrefix + jobId];
      return this.#release(keys, attempt, this.#releaseScript, releaseKeys(keys), args);
    }
    // Without a counted attempt, changed fields, a claim, a record or a verdict.
    const nothing = ['1', '', 0, '', '', ''];
    const args = [keys.jobPrefix, this.#clock.now(), jobId, token, delay, ...nothing];
    return this.#release(keys, attempt, this.#delayScript, delayKeys(keys, jobId), args);
  }

  /** Whether a report recently ended the attempt. */
  async wasReported(keys: QueueKeys, { jobId, token }: AttemptKey): Promise<boolean> {
    const report = await this.#commands.scripts.run(readReportScript, [reportKey(keys, token)], []);
    return typeof report === 'string' && report.endsWith(`:${jobId}`);
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
      isTooLate: (answer) => answer === CAME_LATE,
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

/** The key of a remembered report. */
function reportKey({ jobPrefix }: QueueKeys, token: string): string {
  return jobPrefix + REPORTS + token;
}

const readReportScript: Script = {
  name: 'readReport',
  numberOfKeys: 1,
  lua: 'return redis.call("GET", KEYS[1])',
};

/**
 * The script that ends an attempt, and then remembers the report. A report on an ended attempt that equals the
 * remembered one is a repetition. KEYS and ARGV are those of the script, then the key of the report and the accepted
 * jobs; the report and the job's id.
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
