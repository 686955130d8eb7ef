MATCH (c:Change {kb: $kb})
WHERE elementId(c) IN $ids
DETACH DELETE c
