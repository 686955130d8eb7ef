MATCH (t:Trajectory {id: $id})
RETURN t.kb AS kb
