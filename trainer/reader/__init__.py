"""The span reader: its data, its training, its figures, and the weights that Clew ships."""
