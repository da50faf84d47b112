-- The hash of a job that is read to be answered, without what is on record of its attempts: that may be long.
local function withoutRecord(hash)
  for index = #hash - 1, 1, -2 do
    if hash[index] == RECORDED then
      hash[index + 1] = ""
      break
    end
  end
  return hash
end
