MATCH (t:ClewTrajectory {kb: $kb, torn: true})
RETURN t.id AS id, t.citations AS citations
