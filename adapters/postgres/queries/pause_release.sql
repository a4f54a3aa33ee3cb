WITH released AS (
    UPDATE projection_checkpoints SET hold_at = NULL, hold_until = NULL WHERE projection = ANY ($1) AND hold_at = $2 RETURNING 1
)
SELECT pg_notify('bitacora_log', '') FROM released
