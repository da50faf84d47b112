-- A time (epoch ms) as ISO 8601 in UTC. Scripts have no library of dates: this counts days from 1 March of the year 0.
local function isoTime(ms)
  local seconds = math.floor(ms / 1000)
  local days, rest = math.floor(seconds / 86400) + 719468, seconds % 86400
  local era = math.floor(days / 146097)
  local ofEra = days - era * 146097
  local yearOfEra = math.floor((ofEra - math.floor(ofEra / 1460) + math.floor(ofEra / 36524)
    - math.floor(ofEra / 146096)) / 365)
  local dayOfYear = ofEra - (365 * yearOfEra + math.floor(yearOfEra / 4) - math.floor(yearOfEra / 100))
  local shifted = math.floor((5 * dayOfYear + 2) / 153)
  local month = shifted < 10 and shifted + 3 or shifted - 9
  local year = yearOfEra + era * 400 + (month <= 2 and 1 or 0)
  return string.format("%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", year, month,
    dayOfYear - math.floor((153 * shifted + 2) / 5) + 1, math.floor(rest / 3600), math.floor(rest / 60) % 60, rest % 60,
    ms % 1000)
end
