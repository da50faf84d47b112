-- Removes a record of a folder, and the folder with its last record. Returns 1, or 0 when there was none.
if rcall("HDEL", records, id) == 0 then return 0 end
if rcall("EXISTS", records) == 0 then rcall("SREM", folders, folder) end
return 1
