-- Returns the versions in the metadata of some queues, each once.
--
-- REST: the queues

local known, versions = {}, {}
for index = REST, #ARGV do
  local version = redis.pcall("HGET", start .. ARGV[index] .. ":meta", "version")
  if type(version) == "string" and not known[version] then
    known[version] = true
    versions[#versions + 1] = version
  end
end
return versions
