"""What a run learns from: questions, demonstrations, and what people rated good."""
