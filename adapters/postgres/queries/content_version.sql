SELECT version FROM content_version
