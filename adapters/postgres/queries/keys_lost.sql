-- Subjects of sealed events whose key is not there, and those whose key none of the key epochs
-- opens; none of them was erased.
CREATE TEMPORARY TABLE lost_keys ON COMMIT DROP AS
SELECT stream AS subject
  FROM (SELECT DISTINCT stream FROM events WHERE sealed IS NOT NULL) AS sealed
 WHERE NOT EXISTS (SELECT FROM subject_keys k WHERE k.subject = sealed.stream)
UNION ALL
SELECT subject FROM subject_keys WHERE destroyed_at IS NULL AND key_epoch <> ALL ($1)
