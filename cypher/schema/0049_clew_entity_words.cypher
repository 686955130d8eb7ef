// The words of names, to search by some of them or by their first letters; keys are without case and accents.
CREATE FULLTEXT INDEX clew_entity_words IF NOT EXISTS
FOR (e:ClewEntity) ON EACH [e.key, e.kb]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}
