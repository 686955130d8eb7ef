UNWIND $documents AS row
MERGE (d:ClewDocument {id: row.id})
SET d:Document, d.kb = $kb, d.name = row.name, d.title = row.title, d.title_key = row.title_key, d.source = row.source,
    d.locator = row.locator, d.media_type = row.media_type, d.sha256 = row.sha256, d.recipe = row.recipe,
    d.text = row.text, d.pages = row.pages, d.blocks = row.blocks, d.metadata = row.metadata,
    d.reading = row.reading, d.status = row.status, d.writer = $writer, d.at = datetime()
