UNWIND $rows AS row
CREATE (n:ClewEntity:Entity)
SET n = row.properties
