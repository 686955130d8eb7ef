// How often each role is played.
MATCH (:ClewHyperedge {kb: $kb})-[r:CONNECTS]->()
RETURN r.role AS role, count(*) AS count
ORDER BY count DESC, role
