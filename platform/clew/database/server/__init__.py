"""The Neo4j server that Clew keeps: its jars, its Java, its folder, its process."""
