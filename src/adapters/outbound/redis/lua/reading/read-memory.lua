-- Returns how many bytes of memory the server that holds the queues uses, and how many it may use: without a maxmemory,
-- those of its machine. Nothing is returned where the server does not say.

local information = redis.pcall("INFO", "memory")
if type(information) ~= "string" then
  return false
end
local function figure(name)
  return tonumber(string.match(information, "\n" .. name .. ":(%d+)")) or 0
end
local limit = figure("maxmemory")
if limit == 0 then
  limit = figure("total_system_memory")
end
return limit > 0 and { figure("used_memory"), limit }
