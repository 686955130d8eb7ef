// What a knowledge base's resolution has written: some of its relationships of one type.
MATCH (:ClewEntity {kb: $kb})-[r:$($type)]->()
WITH r LIMIT $limit
DELETE r
RETURN count(*) AS deleted
