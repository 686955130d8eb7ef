"""Text as such: names, sentences, normal forms, and what is made harmless. Below every room that reads or writes."""
