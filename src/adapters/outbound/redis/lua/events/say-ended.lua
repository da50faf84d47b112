-- In TypeScript: domain/transitions/say-ended
--- @include "adds/add-following"
--- @include "events/callbacks"
--- @include "adds/created-queue"
--- @include "reading/decoded"
--- @include "events/iso-time"
--- @include "events/unsent"

local function orNull(value)
  if value == nil or value == false then return cjson.null end
  return value
end

local function parentOf(json)
  local parent = decoded(json)
  if type(parent.queueKey) ~= "string" then return cjson.null end
  return {queue = string.match(parent.queueKey, "[^:]+$"), id = parent.id}
end

-- What is known of a job that ended (domain/deliveries/ended-job).
--
-- said: event, value, options, parent (as JSON), group, made (attempts), call (the record of the last one, if any),
-- deadLetters (the queue that gets a copy in place of the callback, if any).
local function endedJob(queue, id, name, said)
  local job = queue.prefix .. id
  local fields = rcall("HMGET", job, "name", "timestamp", "processedOn", "priority", "progress")
  return {
    type = said.event, at = tonumber(queue.timestamp), queue = name, id = id, name = fields[1] or "",
    value = said.value, size = #said.value, timestamp = tonumber(fields[2]) or 0,
    processedOn = orNull(tonumber(fields[3])), priority = tonumber(fields[4]) or 0,
    attemptsMade = tonumber(said.made) or 0, attempts = tonumber(said.options.attempts) or 0,
    progress = orNull(tonumber(fields[5] or "0")), group = orNull(said.group), parent = parentOf(said.parent),
    lastStatus = orNull(tonumber(string.match(said.call or "", '^"%a",(%d+)'))),
    dataSize = rcall("HSTRLEN", job, "data"),
  }
end

-- A message for each hook, without a return value that is too large for it.
local function tellHooks(root, hooks, failing, ended)
  local value = ended.value
  if ended.type == "job.completed" and ended.size > MOST_RETURNED then ended.value = cjson.null end
  local data, unsent = cjson.encode(ended), unsentOf(root, ended.at, failing or {})
  for _, hook in ipairs(hooks) do unsent.add(hook, nil, ended.type, data) end
  ended.value = value
end

local function callUrl(root, ended, run, callback)
  ended.run, ended.callback = run, {url = callback.url, headers = callback.headers}
  local id = table.concat({ended.queue, ended.id, run, string.format("%.0f", ended.at)}, ":")
  callsOf(root, ended.at).add(ended.queue, id, ended.type, cjson.encode(ended), callback.url)
end

local function eventBody(ended, event, run)
  local outcome = event == "job.completed" and '"returnvalue":' .. ended.value
    or '"failedReason":' .. cjson.encode(ended.value)
  return '{"type":"' .. event .. '","timestamp":"' .. isoTime(ended.at) .. '","data":{"queue":' ..
    cjson.encode(ended.queue) .. ',"id":' .. cjson.encode(ended.id) .. ',"name":' .. cjson.encode(ended.name) .. "," ..
    outcome .. ',"attemptsMade":' .. ended.attemptsMade .. ',"run":' .. run .. "}}"
end

-- The id of a copy that may keep that of the job: a number is that of another job of the target.
local function idOfCopy(prefix, id, number)
  local isTaken = string.find(id, "^%-?%d+$") or rcall("EXISTS", prefix .. id) == 1
  return isTaken and number or id
end

-- All options of a job, but the letter that it was itself (domain/jobs/letter).
local function keptOptions(options)
  local kept = {}
  for name, value in pairs(options) do if name ~= "origin" then kept[name] = value end end
  return kept
end

local function addToQueue(root, queue, ended, event, run, callback, jobOptions)
  local prefix = root .. callback.queue .. ":"
  local name, data
  local options = {attempts = 0, delay = 0}
  if callback.as == "job" then
    name, data = ended.name, rcall("HGET", queue.prefix .. ended.id, "data")
    options.origin = {queue = ended.queue, id = ended.id, opts = keptOptions(jobOptions)}
    if event == "job.failed" then options.origin.failedReason = ended.value end
    options.group, options.message = callback.group, callback.message
  else
    name, data = type(callback.name) == "string" and callback.name or event, eventBody(ended, event, run)
  end
  local kept = createQueue(root .. OWN_QUEUES, prefix .. "meta")
  local number = rcall("INCR", prefix .. "id")
  local id = callback.keepsId and idOfCopy(prefix, ended.id, number) or number
  addFollowing(prefix, id, name, data, options, ended.at, kept)
end

local function isFollowed(callback, event)
  if type(callback) ~= "table" then return false end
  if type(callback.url) ~= "string" and type(callback.queue) ~= "string" then return false end
  if type(callback.on) ~= "table" then return true end
  for _, each in ipairs(callback.on) do if "job." .. each == event then return true end end
  return false
end

-- Adds what follows the end of a job: a message for each hook that wants one, and its callback. The job is still there.
local function sayEnded(queue, id, said, optionsText)
  local root = string.match(queue.prefix, "^[^:]+:")
  local ofQueue = queue.hooks ~= "" and cjson.decode(queue.hooks) or {}
  local hooks = ofQueue[said.event]
  said.options = decoded(optionsText)
  local event = said.event == "job.completed" and said.event or "job.failed"
  local callback = isFollowed(said.options.callback, event) and said.options.callback
  if said.deadLetters then
    local group = said.options.group
    if type(group) ~= "table" or type(group.id) ~= "string" then group = nil end
    local message = said.options.message
    if type(message) ~= "table" then message = nil end
    callback = {queue = said.deadLetters, as = "job", group = group, message = message, keepsId = true}
  end
  if not hooks and not callback then return end
  local ended = endedJob(queue, id, string.sub(queue.prefix, #root + 1, -2), said)
  if hooks then tellHooks(root, hooks, ofQueue.failing, ended) end
  if not callback then return end
  local before = rcall("HGET", queue.prefix .. id, CALLED_BACK)
  local run = (tonumber(string.match(before or "", "^%d+")) or 0) + 1
  rcall("HSET", queue.prefix .. id, CALLED_BACK, run .. ":" .. string.format("%.0f", ended.at))
  if callback.url then callUrl(root, ended, run, callback)
  else addToQueue(root, queue, ended, event, run, callback, said.options) end
end
