import type { Patch } from '../attempts/script-patch.ts';

/** A field that a claim adds to the record of a job that has, or had, children. It is not stored. */
export const IS_PARENT = 'jobgate:parent';

/**
 * Lua: adds that field. The store keeps children beside their parent, so it has to be asked for them; not for a job
 * that only has a number for an id, as most have, since jobs of flows are known by more.
 */
export const MARKED_PARENT = `local function markedParent(jobKey, jobId, record)
  if not string.find(jobId, "^%d+$") and redis.call("EXISTS", jobKey .. ":dependencies", jobKey .. ":processed",
      jobKey .. ":failed", jobKey .. ":unsuccessful") > 0 then
    record[#record + 1] = "${IS_PARENT}"
    record[#record + 1] = "1"
  end
  return record
end
`;

/** For the scripts that take a job, after the patches that leave out the record of its attempts. */
export const markingParents: readonly Patch[] = [
  {
    purpose: 'define how a job is marked that has children',
    find: 'local function prepareJobForProcessing(',
    replace: `${MARKED_PARENT}local function prepareJobForProcessing(`,
  },
  {
    purpose: 'mark a job that has children',
    find: 'return {withoutRecord(record), jobId, 0, 0}',
    replace: 'return {markedParent(jobKey, jobId, withoutRecord(record)), jobId, 0, 0}',
  },
];

/**
 * BullMQ completes no parent with a child that it waits for, or whose failure failed it. Here whatever was let start
 * completes: a child may have failed that let it go on without the others, or children were retried by hand since.
 */
export const completingParents: readonly Patch[] = [
  {
    purpose:
      'let a parent that was allowed to start complete, in whatever state its children are now',
    find: `    if ARGV[5] == "completed" then
        if rcall("SCARD", jobIdKey .. ":dependencies") ~= 0 then
            return -4
        end
        if rcall("ZCARD", jobIdKey .. ":unsuccessful") ~= 0 then
            return -9
        end
    end
`,
    replace: '',
  },
  {
    purpose:
      'forget the failure of a child when its parent completes, once the token has been checked',
    find: '    updateJobFields(jobIdKey, ARGV[9]);\n',
    replace: `    if ARGV[5] == "completed" then
        rcall("HDEL", jobIdKey, "defa")
    end
    updateJobFields(jobIdKey, ARGV[9]);
`,
  },
];
