-- Returns the remembered report on an attempt, or nothing.

return rcall("GET", report)
