// The types of entities, by their keys.
UNWIND $keys AS key
MATCH (e:ClewEntity {kb: $kb, key: key})
RETURN key, e.type AS type
