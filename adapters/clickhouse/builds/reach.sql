-- The last position that any row tells of.
SELECT greatest((SELECT max(last_position) FROM conversations), (SELECT max(position) FROM messages), (SELECT max(last_position) FROM contacts))
