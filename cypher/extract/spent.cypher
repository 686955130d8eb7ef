// What a model has cost for the chunks that are there now.
MATCH (c:ClewChunk {kb: $kb})
WHERE c.model_tokens IS NOT NULL
RETURN sum(c.model_tokens) AS tokens, sum(c.model_cost) AS cost
