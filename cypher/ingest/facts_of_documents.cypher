UNWIND $documents AS id
MATCH (:Document {id: id})-[:HAS_CHUNK]->(:Chunk)-[:STATES]->(h:Hyperedge)
WITH DISTINCT h
RETURN h.id AS id, h.text AS text, h.lead AS lead, [(h)-[r:CONNECTS]->(e) WHERE r.role = 'link' | e.key] AS links
