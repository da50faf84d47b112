-- The table that a text is as JSON; an empty one for any other text, and for none.
local function decoded(text)
  local isJson, value = pcall(cjson.decode, text or "null")
  return isJson and type(value) == "table" and value or {}
end
