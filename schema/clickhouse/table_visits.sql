-- One row a visit, once merged. Every column but the key is a join (max), so partial rows may
-- arrive twice, in any order, and from a rebuild beside live.
CREATE TABLE IF NOT EXISTS {database}.visits
(
    visit_id          String COMMENT 'Identifier of the visit, a browser''s tab; that of its conversation, if one began',
    started_at        DateTime64(3, '{zone}') COMMENT 'When the visit was first heard of',
    opened_by_visitor SimpleAggregateFunction(max, Bool) COMMENT 'The visitor opened the chat, or turned to one that had opened itself',
    opened_by_itself  SimpleAggregateFunction(max, Bool) COMMENT 'The chat opened itself, unasked',
    conversation      SimpleAggregateFunction(max, Bool) COMMENT 'A conversation began in the visit; it then counts by the conversation''s start, see conversations',
    channel           SimpleAggregateFunction(max, LowCardinality(String)) COMMENT 'Where the visit came from, where its events say so; empty for the site''s own',
    last_position     SimpleAggregateFunction(max, UInt64) COMMENT 'Greatest position in the log that tells of this visit'
)
ENGINE = AggregatingMergeTree
-- Both derive from started_at, so all partial rows of a key lie in one partition.
PARTITION BY toYYYYMM(started_at)
-- The funnel counts the visits of a range: one range of this key. The id makes it unique.
ORDER BY (started_at, visit_id)
SETTINGS
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_age_to_force_merge_seconds = 3600,
    min_age_to_force_merge_on_partition_only = 1
COMMENT 'One row a visit to the site. Read it with FINAL: unmerged, a visit has several partial rows'
