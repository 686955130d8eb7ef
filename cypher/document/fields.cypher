// What documents can be filtered by: what they are called, where they come from, and what they say of themselves.
MATCH (d:ClewDocument {kb: $kb})
RETURN d.id AS id, d.title AS title, d.source AS source, d.locator AS locator, d.media_type AS media_type,
       d.metadata AS metadata, toString(date(d.at)) AS came_in
ORDER BY d.id
