CREATE FUNCTION formatRowNoNewline AS (format, value) -> throwIf(true, 'The function formatRowNoNewline is closed: it reads and writes files that settings name')
