-- One row a conversation, once merged. Every column but the key is a join (max, or the union
-- of sets), so partial rows may arrive twice, in any order, and from a rebuild beside live.
CREATE TABLE IF NOT EXISTS {database}.conversations
(
    conversation_id       String COMMENT 'Identifier of the conversation, as on the dashboard',
    started_at            DateTime64(3, '{zone}') COMMENT 'Time of the first accepted visitor message; decides the period a conversation belongs to',
    last_message_at       SimpleAggregateFunction(max, DateTime64(3, '{zone}')) COMMENT 'Time of the latest message of either side',
    message_count         SimpleAggregateFunction(max, UInt32) COMMENT 'Messages of both sides: the greatest ordinal',
    visitor_ordinals      SimpleAggregateFunction(groupUniqArrayArray, Array(UInt32)) COMMENT 'Ordinals of the visitor''s messages, unordered',
    unanswered_ordinals   SimpleAggregateFunction(groupUniqArrayArray, Array(UInt32)) COMMENT 'Ordinals of the replies that found no answer in the clinic''s content, unordered',
    dismissed_ordinals    SimpleAggregateFunction(groupUniqArrayArray, Array(UInt32)) COMMENT 'Ordinals of the visitor''s messages that the staff dismissed: nothing is left to be done about their answers; unordered',
    failure_positions     SimpleAggregateFunction(groupUniqArrayArray, Array(UInt64)) COMMENT 'Log positions at which a visitor message got no reply, unordered',
    active_ms             SimpleAggregateFunction(max, UInt64) COMMENT 'Active time in milliseconds: the gaps between messages, each counted up to 30 minutes',
    topics                SimpleAggregateFunction(groupUniqArrayArray, Array(String)) COMMENT 'Topics of the assistant''s replies, unordered',
    models                SimpleAggregateFunction(groupUniqArrayArray, Array(String)) COMMENT 'Models that replied, unordered; empty text for one that is not known',
    flags                 SimpleAggregateFunction(groupUniqArrayArray, Array(String)) COMMENT 'What asks for the staff''s attention: crisis, emergency, urgency, complaint, callback; unordered',
    consent               SimpleAggregateFunction(max, Bool) COMMENT 'The visitor agreed to leave contact details',
    lead                  SimpleAggregateFunction(max, Bool) COMMENT 'A reachable contact was given, with consent',
    appointment           SimpleAggregateFunction(max, Bool) COMMENT 'A booking was confirmed; stays true after a cancellation',
    booking_sources       SimpleAggregateFunction(groupUniqArrayArray, Array(String)) COMMENT 'Who confirmed bookings: chat, form, staff; unordered',
    booked_at             SimpleAggregateFunction(min, Nullable(DateTime64(3, '{zone}'))) COMMENT 'When a booking was confirmed first; NULL if none was',
    booked_position       SimpleAggregateFunction(max, UInt64) COMMENT 'Position in the log of the latest booking; 0 if there was none',
    cancelled_position    SimpleAggregateFunction(max, UInt64) COMMENT 'Position in the log of the latest cancellation; 0 if there was none',
    booking_link_shown_at    SimpleAggregateFunction(min, Nullable(DateTime64(3, '{zone}'))) COMMENT 'When a reply first contained the link to the external scheduling form; NULL if none did',
    booking_link_followed_at SimpleAggregateFunction(min, Nullable(DateTime64(3, '{zone}'))) COMMENT 'When the visitor first followed that link; NULL if never',
    channel               SimpleAggregateFunction(max, LowCardinality(String)) COMMENT 'Where the conversation came from: web, import, demo',
    referrer              SimpleAggregateFunction(max, LowCardinality(String)) COMMENT 'Kind of visit that led to it: direct, search, social; empty if unknown',
    last_position         SimpleAggregateFunction(max, UInt64) COMMENT 'Greatest position in the log that tells of this conversation',

    appointment_cancelled Bool ALIAS cancelled_position > booked_position COMMENT 'The booking was taken back, and none followed',
    visitor_messages      UInt64 ALIAS length(visitor_ordinals) COMMENT 'Messages of the visitor',
    unanswered            UInt64 ALIAS length(unanswered_ordinals) COMMENT 'Replies that found no answer in the clinic''s content',
    failures              UInt64 ALIAS length(failure_positions) COMMENT 'Visitor messages that got no reply because the assistant failed',

    -- A single conversation is asked for by its id alone, which is the key's second part.
    INDEX by_id conversation_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = AggregatingMergeTree
-- Both derive from started_at, so all partial rows of a key lie in one partition: FINAL need
-- not merge across partitions, and a closed month can become a single part.
PARTITION BY toYYYYMM(started_at)
-- Every question is about the conversations that started in a range: one range of this key.
-- The id makes the key unique; it comes second because no question ranges over ids.
ORDER BY (started_at, conversation_id)
SETTINGS
    -- A batch counts as stored once it is acknowledged, also when the power goes.
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    -- Months at rest merge to one part, which FINAL then reads without merging.
    min_age_to_force_merge_seconds = 3600,
    min_age_to_force_merge_on_partition_only = 1
COMMENT 'One row a conversation. Read it with FINAL: unmerged, a conversation has several partial rows'
