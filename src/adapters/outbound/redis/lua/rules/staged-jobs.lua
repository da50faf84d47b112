-- Whether all jobs of a staged batch are there, which expire.
local function areStaged(staged, count)
  for first = 0, count - 1, 1000 do
    local keys = {}
    for number = first, math.min(first + 999, count - 1) do keys[#keys + 1] = staged .. number end
    if rcall("EXISTS", unpack(keys)) < #keys then return false end
  end
  return true
end
