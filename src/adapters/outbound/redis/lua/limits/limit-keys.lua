--- @include "reading/decoded"

-- What belongs to no queue, from the prefix of one.
local function limitRoot(prefix) return string.match(prefix, "^[^:]*") .. OWN_KEY end

local function queueInPrefix(prefix) return string.match(prefix, "^[^:]*:(.*):$") end

-- The name of the limit of a flow control key, by the group of its messages (domain/messages/flow-limit).
local function flowLimitOf(group)
  local function escaped(character) return string.format("%%%02X", string.byte(character)) end
  return (FLOW_LIMIT .. string.gsub(group, "[%%,:%s]", escaped))
end

-- The group of such a limit; nothing for any other limit.
local function groupOfFlow(name)
  local escaped = string.match(name, "^" .. FLOW_LIMIT .. "(.*)$")
  return escaped and (string.gsub(escaped, "%%(%x%x)", function(code) return string.char(tonumber(code, 16)) end))
end

-- Returns the settings of a limit as JSON, or nothing when the limit does not exist.
local function limitText(root, name)
  if groupOfFlow(name) then return rcall("GET", root .. name) end
  return rcall("HGET", root .. LIMITS_KEY, name)
end

local function limitSettings(root, name)
  local text = limitText(root, name)
  return text and decoded(text)
end

-- Keeps the settings of the limit of a flow control key for as long as it is used. Answers whether they are others.
--
-- delay: until it is used, in ms
local function bindLimit(root, name, text, delay)
  local kept, left, least = rcall("GET", root .. name), rcall("PTTL", root .. name), FLOW_KEPT + delay
  if kept ~= text or left < least then
    rcall("SET", root .. name, text, "PX", math.max(left, least + FLOW_STEP))
  end
  return kept ~= text
end
