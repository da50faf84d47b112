-- The starts that the limiter of a group counts. A colon in the name of a key would make it that of another job.
local function groupStarts(prefix, group) return prefix .. GROUP_STARTS .. string.gsub(group, ":", "\1") end
