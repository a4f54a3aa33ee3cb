-- Writers of content come one after the other.
SELECT version FROM content_version FOR UPDATE
