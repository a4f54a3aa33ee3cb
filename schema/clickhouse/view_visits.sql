-- The analysts' visits: merged, of the live build, under a name that never changes.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
-- The casts give the declared types: without them a value arrives with the aggregate function
-- that it is stored with.
CREATE OR REPLACE VIEW {views}.visits
(
    visit_id          String COMMENT 'Identifier of the visit, a browser''s tab; that of its conversation, if one began',
    started_at        DateTime64(3, '{zone}') COMMENT 'When the visit was first heard of',
    opened_by_visitor Bool COMMENT 'The visitor opened the chat, or turned to one that had opened itself',
    opened_by_itself  Bool COMMENT 'The chat opened itself, unasked',
    conversation      Bool COMMENT 'A conversation began in the visit; it then counts by the conversation''s start, see conversations',
    channel           LowCardinality(String) COMMENT 'Where it came from: web, demo',
    last_position     UInt64 COMMENT 'Greatest position in the log that tells of this visit'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    visit_id,
    started_at,
    opened_by_visitor::Bool AS opened_by_visitor,
    opened_by_itself::Bool AS opened_by_itself,
    conversation::Bool AS conversation,
    if(channel = '', 'web', channel)::LowCardinality(String) AS channel,
    last_position::UInt64 AS last_position
FROM {database}.visits FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
