import type { BreakerMove } from '../../../../domain/attempts/breaker.ts';
import { BREAKER_CLOSED_FOR, JUDGE } from '../gate/breaker-lua.ts';
import type { Script } from '../connection/scripts.ts';
import { ATTEMPT } from './attempt-token.ts';
import type { Patch } from './script-patch.ts';

/** For the scripts that take a job, after the patches of the gate. */
export function openBreaker(prefix: string): readonly Patch[] {
  return [
    {
      purpose: 'define how long the breaker of a queue lets no call start',
      find: 'local function prepareJobForProcessing(',
      replace: `${BREAKER_CLOSED_FOR}local function prepareJobForProcessing(`,
    },
    {
      purpose: 'give no job for a call while the breaker is open',
      find: 'if closed > 0 then return {0, 0, closed, 0} end\n',
      replace: `if hasGate and closed == 0 then closed = breakerClosedFor(${prefix}, opts) end
if closed > 0 then return {0, 0, closed, 0} end
`,
    },
    {
      purpose: 'note which attempt is the probe',
      find: `  -- get a lock
  if opts['token'] ~= "0" then
`,
      replace: `  if isProbe then noteProbe(keyPrefix, opts['nextToken'] or opts['token'], jobId) end
  -- get a lock
  if opts['token'] ~= "0" then
`,
    },
  ];
}

/**
 * For the scripts that end an attempt, after the patches that release it.
 *
 * @param verdict the argument with the verdict on its call; empty when there is none.
 */
export function passesVerdict(verdict: string): readonly Patch[] {
  return [
    {
      purpose: 'define what a verdict does',
      find: 'local function removeLock(',
      replace: `${JUDGE}local function removeLock(`,
    },
    {
      purpose: 'pass the verdict on the call of an attempt that ended',
      find: `      rcall("HDEL", jobKey, "${ATTEMPT}", `,
      replace: `      if ${verdict} ~= "" then
        judge(string.sub(jobKey, 1, #jobKey - #jobId), jobId, token, ${verdict})
      end
      rcall("HDEL", jobKey, "${ATTEMPT}", `,
    },
  ];
}

const MOVED = 'breaker';

/** The script, whose answer also has the move of the breaker that a verdict caused. */
export function returningBreakerMoves({ lua, ...script }: Script): Script {
  return {
    ...script,
    lua: `local breakerMove
local function run()
${lua}
end
local answer = run()
if breakerMove then return {"${MOVED}", breakerMove, answer} end
return answer
`,
  };
}

/** Splits the answer of such a script into its own answer and the move of the breaker. */
export function parseBreakerMove(answer: unknown): { answer: unknown; breaker?: BreakerMove } {
  if (!Array.isArray(answer) || answer[0] !== MOVED) return { answer };
  const [, breaker, own] = answer as [string, BreakerMove, unknown];
  return { answer: own, breaker };
}
