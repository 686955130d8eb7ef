// Folded words, so that a title is found in earlier sentences exactly as the key rules spell it.
CREATE FULLTEXT INDEX clew_hyperedge_words IF NOT EXISTS
FOR (h:ClewHyperedge) ON EACH [h.key, h.kb]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}
