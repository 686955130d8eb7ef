MATCH (t:ClewTrajectory {id: $id})
RETURN t.kb AS kb
