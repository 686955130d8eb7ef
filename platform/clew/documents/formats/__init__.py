"""The formats that are read, one a file: each declares its name, endings, media types, isolation and reader."""
