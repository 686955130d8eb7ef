UNWIND $rows AS row
CREATE (n:ClewDocument:Document)
SET n = row.properties
