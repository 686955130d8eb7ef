// How often each role is played.
MATCH (:Hyperedge {kb: $kb})-[r:CONNECTS]->()
RETURN r.role AS role, count(*) AS count
ORDER BY count DESC, role
