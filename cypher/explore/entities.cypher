// Entities as a list shows them; while they are being brought in, their facts have not been counted.
UNWIND $ids AS id
MATCH (e:ClewEntity {id: id, kb: $kb})
RETURN id, e.name AS name, e.type AS type, coalesce(e.degree, COUNT { (e)<-[:CONNECTS]-() }) AS degree,
       e.aliases[..5] AS aliases, coalesce(e.page, false) AS page
