// Another encoder's vectors are to fill the slot that is not searched; those of a third encoder that are there go first.
MATCH (k:ClewKnowledgeBase {name: $kb})
SET k.lock = true
REMOVE k.lock
WITH k, CASE WHEN k.other_embedder = $embedder AND k.other_precision = $precision THEN false
             ELSE k.other_embedder IS NOT NULL END AS foreign
FOREACH (_ IN CASE WHEN foreign THEN [] ELSE [1] END |
  SET k.other_embedder = $embedder, k.other_dimensions = $dimensions, k.other_precision = $precision
)
RETURN foreign
