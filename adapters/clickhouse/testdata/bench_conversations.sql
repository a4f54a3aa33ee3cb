-- A year of conversations that ends at the given time, evenly spread, ten messages each.
INSERT INTO conversations
    (conversation_id, started_at, last_message_at, message_count, visitor_ordinals, unanswered_ordinals, failure_positions,
     active_ms, topics, consent, lead, appointment, booking_sources, booked_position, cancelled_position, channel, referrer, last_position)
SELECT
    lower(hex(sipHash64(number))),
    fromUnixTimestamp64Milli(toInt64({end:Int64} - 365 * 86400000 + intDiv(number * 365 * 86400000, {conversations:UInt64})), 'UTC') AS at,
    at + INTERVAL 3 MINUTE,
    10,
    [1, 3, 5, 7, 9],
    if(number % 7 = 0, [4], []),
    if(number % 90 = 0, [number], []),
    cityHash64(number) % 600000,
    if(number % 5 = 0, [], [['citas', 'precios', 'ortodoncia', 'urgencia', 'horario', 'implantes', 'seguros'][number % 7 + 1]]),
    number % 4 = 0,
    number % 5 = 0,
    number % 10 = 0,
    if(number % 10 = 0, ['chat'], []),
    if(number % 10 = 0, number + 1, 0),
    if(number % 200 = 0, number + 2, 0),
    'web',
    ['direct', 'search', 'social'][number % 3 + 1],
    number
FROM numbers({conversations:UInt64})
