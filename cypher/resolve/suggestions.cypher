// All pairs that are suggested, with their scores.
MATCH (a:ClewEntity {kb: $kb})-[r:MAYBE_SAME_AS]->(b:ClewEntity)
RETURN a.id AS a, b.id AS b, r.score AS score, r.reasons AS reasons, r.judged AS judged
