"""Data: records and XML."""
