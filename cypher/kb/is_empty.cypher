RETURN NOT EXISTS { MATCH (:ClewDocument {kb: $kb}) } AS empty
