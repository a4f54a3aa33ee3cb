CREATE FUNCTION formatRow AS (format, value) -> throwIf(true, 'The function formatRow is closed: it reads and writes files that settings name')
