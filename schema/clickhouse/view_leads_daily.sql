-- The contacts that came on each day and where they stand now, with the days that have none.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.leads_daily
(
    date      Date COMMENT 'Day of the business zone on which the contact came, as came_at', -- of contacts.came_at
    leads     UInt64 COMMENT 'Contacts that were left in conversations of the day', -- of contacts.kind
    messages  UInt64 COMMENT 'Messages of the contact form', -- of contacts.kind
    untouched UInt64 COMMENT 'Leads and messages whose status is new', -- of contacts.status
    contacted UInt64 COMMENT 'Those whose status is contacted', -- of contacts.status
    scheduled UInt64 COMMENT 'Those whose status is scheduled', -- of contacts.status
    discarded UInt64 COMMENT 'Those whose status is discarded', -- of contacts.status
    notes     UInt64 COMMENT 'Notes of the staff about them' -- of contacts.notes
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    date, countIf(kind = 'lead') AS leads, countIf(kind = 'message') AS messages, countIf(status = 'new') AS untouched,
    countIf(status = 'contacted') AS contacted, countIf(status = 'scheduled') AS scheduled, countIf(status = 'discarded') AS discarded, sum(notes) AS notes
FROM
(
    SELECT toDate(came_at) AS date, kind::String AS kind, status, notes
    FROM {database}.contacts FINAL
    WHERE reachable
    UNION ALL
    SELECT toDate(now('{zone}')) - arrayJoin(range(if(count() = 0, 0, greatest(0, dateDiff('day', min(came_at), now('{zone}')) + 1)))), '', '', 0
    -- Of all rows, also of whom nobody can reach: the minimum is then read from the parts' indexes.
    FROM {database}.contacts
)
GROUP BY date
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row a day of the business zone, from the first contact to today, also where none came. Do not read the statuses as of that day: they are those of now, and contact_history has their times'
