UNWIND $phrases AS phrase
CALL db.index.fulltext.queryNodes('clew_hyperedge_words', phrase) YIELD node AS h
RETURN DISTINCT h.id AS id
