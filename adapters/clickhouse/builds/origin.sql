-- From what a build was made, in one row, also where no note of it was made yet. The zone is that of
-- the columns, so that builds tell theirs which were made before anybody asked for it.
SELECT
    toString(any(epoch))         AS epoch,
    any(version)                 AS version,
    timezoneOf(max(marked_at))   AS zone,
    max(marked_at)               AS noted_at,
    count() > 0                  AS noted
FROM build FINAL
