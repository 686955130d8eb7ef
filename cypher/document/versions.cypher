// The versions of documents, where their blocks and pages lie, and the nodes that adopted ones were made of.
UNWIND $ids AS id
MATCH (d:ClewDocument {id: id, kb: $kb})
RETURN id, d.sha256 AS sha256, d.blocks AS blocks, d.pages AS pages,
       CASE WHEN d.source STARTS WITH $adopted THEN d.locator ELSE '' END AS original
