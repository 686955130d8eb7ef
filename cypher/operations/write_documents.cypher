UNWIND $rows AS row
CREATE (n:Document)
SET n = row.properties
