-- name: note_self_check
INSERT INTO self_checks (what, part, of, through, checked_at, findings)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (what, part) DO UPDATE
   SET of = excluded.of, through = excluded.through, checked_at = excluded.checked_at, findings = excluded.findings

-- name: self_checks
SELECT what, part, of, through, checked_at, findings FROM self_checks ORDER BY what, part
