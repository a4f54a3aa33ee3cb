-- The contacts of the conversations' leads: one in four stands where each status is, one in three has a note.
INSERT INTO contacts
    (kind, contact_id, came_at, reachable, told_status, told_slot, cancelled_position, note_positions, channel, last_position)
WITH salt -> cityHash64(last_position, salt) AS draw
SELECT
    'lead',
    conversation_id,
    started_at,
    true,
    (last_position, ['new', 'contacted', 'scheduled', 'discarded'][draw(1) % 4 + 1]),
    (booked_position, started_at + toIntervalDay(3)),
    cancelled_position,
    if(draw(2) % 3 = 0, [last_position], []),
    'web',
    last_position
FROM conversations
WHERE lead AND last_position >= {first:UInt64} AND last_position < {first:UInt64} + {count:UInt64}
