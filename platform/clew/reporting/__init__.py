"""How figures and findings are shown: plots and curves as SVG, tables, and text on a terminal."""
