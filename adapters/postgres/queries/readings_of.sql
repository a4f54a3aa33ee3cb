-- The condition on the stream is that of the index events_of_staff. Exports and replays name
-- nobody.
SELECT position, event_id, stream, version, type, schema_version,
       occurred_at, recorded_at, data, sealed, metadata, payload_hash
  FROM events
 WHERE starts_with(stream, 'staff/')
   AND (type = 'TranscriptOpened' AND data::json ->> 'conversationId' = ANY ($1)
        OR type IN ('ContactMessagesOpened', 'VisitorTextsRead') AND EXISTS (
            SELECT FROM unnest($1::text[]) id WHERE strpos(data, to_json(id)::text) > 0)
        OR type IN ('ExportTaken', 'QuestionsReplayed'))
 ORDER BY occurred_at, position
