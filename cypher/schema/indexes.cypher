SHOW INDEXES YIELD name, state, labelsOrTypes, properties, options, owningConstraint
RETURN name, state, labelsOrTypes AS labels, properties, options.indexConfig AS config,
       owningConstraint IS NOT NULL AS constraint
