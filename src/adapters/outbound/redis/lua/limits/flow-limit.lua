-- In TypeScript: domain/transitions/groups/next-group
--- @include "limits/shared-limits"

-- The limit of the flow control key of a group, whose settings are those of its next job where none are kept; nothing
-- without any.
local function flowLimit(prefix, group, id)
  local root, name = limitRoot(prefix), flowLimitOf(group)
  local text = limitText(root, name)
  if not text then
    local endpoint = decoded(rcall("HGET", prefix .. id, "opts")).endpoint
    local push = type(endpoint) == "table" and endpoint.push
    local flow = type(push) == "table" and push.flowControl
    if type(flow) ~= "table" then return nil end
    local limiter = flow.rate and {max = flow.rate, duration = flow.period or 1000}
    text = cjson.encode({concurrency = flow.parallelism, limiter = limiter or nil})
  end
  bindLimit(root, name, text, 0)
  return sharedLimit(root, name, queueInPrefix(prefix), decoded(text))
end
