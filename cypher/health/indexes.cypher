SHOW INDEXES YIELD name, type, state, populationPercent, labelsOrTypes, properties
RETURN name, type, state, populationPercent AS percent, labelsOrTypes AS labels, properties
ORDER BY type, name
