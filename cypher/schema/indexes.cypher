SHOW INDEXES YIELD name, state, populationPercent, labelsOrTypes, properties, options, owningConstraint
RETURN name, state, populationPercent AS percent, labelsOrTypes AS labels, properties, options.indexConfig AS config,
       owningConstraint IS NOT NULL AS constraint
