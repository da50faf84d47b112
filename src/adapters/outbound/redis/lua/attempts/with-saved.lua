-- The rest of the line of an attempt, with the names of the steps that it saved: those of the attempt with this token,
-- of a job with steps. `steps` is what is known of them.
local function withSaved(rest, steps, token)
  local by, names = string.match(steps, "^%d+:%d+:%d+:([^:]*):(.*)$")
  local saved = ""
  if by == token and names ~= "" then saved = '"' .. string.gsub(names, ",", '","') .. '"' end
  return string.sub(rest, 1, -2) .. ",[" .. saved .. "]]"
end
