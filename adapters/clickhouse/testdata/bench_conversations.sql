-- Conversations of 400 days up to the given time, as a clinic has them: on some days more than
-- on others, mostly by day, of two to eighteen messages, one in five a lead. Of a cluster, those of a shard.
INSERT INTO conversations
    (conversation_id, started_at, last_message_at, message_count, visitor_ordinals, unanswered_ordinals, failure_positions,
     active_ms, topics, models, flags, consent, lead, appointment, booking_sources, booked_position, cancelled_position, channel, referrer, last_position)
WITH
    salt -> cityHash64(number, salt) AS draw,
    400 AS days,
    intDiv(number * days, {conversations:UInt64}) AS day,
    -- The hours of two dice: few at night, most in the early afternoon.
    draw(1) % 43200000 + draw(2) % 43200000 AS since_midnight,
    ['citas', 'precios', 'ortodoncia', 'dolor', 'horario', 'implantes', 'seguros', 'limpieza'] AS every_topic,
    draw(3) % 100 AS luck
SELECT
    toString(reinterpretAsUUID(sipHash128(number))),
    least(toDateTime64({end:DateTime64(3, 'UTC')}, 3) - toIntervalMillisecond(1),
        toStartOfDay(toTimeZone({end:DateTime64(3, 'UTC')}, 'America/Panama')) - toIntervalDay(days - 1 - day) + toIntervalMillisecond(since_midnight)) AS at,
    at + toIntervalSecond(messages * 18),
    2 * (1 + draw(4) % 9) AS messages,
    arrayFilter(ordinal -> ordinal % 2 = 1, range(1, messages + 1)),
    if(draw(5) % 8 = 0, [toUInt32(2 * (1 + draw(6) % intDiv(messages, 2)))], []),
    if(number % 90 = 0, [number], []),
    messages * 18000 + draw(7) % 60000,
    arrayDistinct(arrayMap(chance -> every_topic[chance % 8 + 1], arraySlice([draw(8), draw(9), draw(10)], 1, draw(11) % 4))),
    if(draw(12) % 40 = 0, ['clinica-1'], ['clinica-2']),
    if(draw(13) % 50 = 0, [['urgency', 'complaint', 'callback'][draw(13) % 3 + 1]], []),
    luck < 25,
    luck < 20,
    luck < 8,
    if(luck < 8, ['chat'], []),
    if(luck < 8, number + 1, 0),
    if(luck < 1, number + 2, 0),
    'web',
    ['direct', 'search', 'social'][number % 3 + 1],
    number
FROM numbers({first:UInt64}, {count:UInt64})
WHERE cityHash64(toString(reinterpretAsUUID(sipHash128(number)))) % {shards:UInt64} + 1 = {shard:UInt64}
