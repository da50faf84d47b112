import type { Patch } from '../attempts/script-patch.ts';

/** For the scripts that remove jobs: a parent may also stop waiting because its last child is removed. */
export const releasedParent: Patch = {
  purpose: 'start a parent as its options say, with an event, when a child is removed',
  find: `  addJobInTargetList(parentPrefix .. "wait", parentPrefix .. "marker", "RPUSH", isPausedOrMaxed, parentId)
  if emitEvent then
`,
  replace: `  local options = rcall("HMGET", parentPrefix .. parentId, "priority", "delay")
  local priority, delay = tonumber(options[1]) or 0, tonumber(options[2]) or 0
  if delay > 0 then
    local delayed, time = parentPrefix .. "delayed", rcall("TIME")
    local dueAt = time[1] * 1000 + math.floor(time[2] / 1000) + delay
    rcall("ZADD", delayed, dueAt * 0x1000, parentId)
    rcall("ZADD", parentPrefix .. "marker", rcall("ZRANGE", delayed, 0, 0, "WITHSCORES")[2] / 0x1000, "1")
    rcall("XADD", parentPrefix .. "events", "*", "event", "delayed", "jobId", parentId, "delay",
      string.format("%.0f", dueAt))
    return
  elseif priority > 0 then
    local position = rcall("INCR", parentPrefix .. "pc") % 0x100000000
    if priority >= 0x200000 then position = position * 2 end
    rcall("ZADD", parentPrefix .. "prioritized", priority * 0x100000000 + position, parentId)
    addBaseMarkerIfNeeded(parentPrefix .. "marker", isPausedOrMaxed)
  else
    addJobInTargetList(parentPrefix .. "wait", parentPrefix .. "marker", "RPUSH", isPausedOrMaxed, parentId)
  end
  do
`,
};
