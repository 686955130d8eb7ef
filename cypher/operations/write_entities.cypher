UNWIND $rows AS row
CREATE (n:Entity)
SET n = row.properties
