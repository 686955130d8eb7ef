MATCH (c:ClewChange {kb: $kb})
WHERE elementId(c) IN $ids
DETACH DELETE c
