-- Returns the versions in the metadata of some queues, each once.
--
-- KEYS[1] registry of queues, for its slot
--
-- ARGV[1] what stands before a queue's name in its keys
-- ARGV[2…] queues

local known, versions = {}, {}
for index = 2, #ARGV do
  local version = redis.pcall("HGET", ARGV[1] .. ARGV[index] .. ":meta", "version")
  if type(version) == "string" and not known[version] then
    known[version] = true
    versions[#versions + 1] = version
  end
end
return versions
