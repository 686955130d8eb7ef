"""Tables of any format: grids of cells, heads, parts, units."""
