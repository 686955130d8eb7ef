RETURN NOT EXISTS { MATCH (:Document {kb: $kb}) } AS empty
