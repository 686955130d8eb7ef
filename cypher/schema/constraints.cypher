// Constraints on labels that Clew's nodes share with others', but for those that say an id is the only one of its kind.
SHOW CONSTRAINTS YIELD name, type, labelsOrTypes, properties
WHERE any(label IN labelsOrTypes WHERE label IN $labels)
  AND NOT (type IN ['UNIQUENESS', 'NODE_PROPERTY_UNIQUENESS'] AND properties = ['id'])
RETURN name, labelsOrTypes AS labels, properties
