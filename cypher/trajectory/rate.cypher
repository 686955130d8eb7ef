MATCH (t:ClewTrajectory {id: $id, kb: $kb})
SET t.rating = $rating, t.comment = coalesce($comment, t.comment), t.rated = datetime()
RETURN t.id AS id
