--- @include "reading/decoded"

-- What belongs to no queue, from the prefix of one.
local function limitRoot(prefix) return string.match(prefix, "^[^:]*") .. OWN_KEY end

local function queueInPrefix(prefix) return string.match(prefix, "^[^:]*:(.*):$") end

-- The settings of a limit; nothing when there is none.
local function limitSettings(root, name)
  local text = rcall("HGET", root .. LIMITS_KEY, name)
  return text and decoded(text)
end
