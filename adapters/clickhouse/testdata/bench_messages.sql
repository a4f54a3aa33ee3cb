-- The messages of bench_conversations.sql.
INSERT INTO messages
    (conversation_id, conversation_started_at, ordinal, message_id, sender, text, topic, provider, model,
     latency_ms, tokens_in, tokens_out, answered, sent_at, position)
SELECT
    lower(hex(sipHash64(intDiv(number, 10) AS conversation))),
    fromUnixTimestamp64Milli(toInt64({end:Int64} - 365 * 86400000 + intDiv(conversation * 365 * 86400000, {conversations:UInt64})), 'UTC') AS at,
    number % 10 + 1 AS place,
    generateUUIDv4(number),
    if(place % 2 = 1, 'visitor', 'assistant'),
    concat(['quiero una cita para limpieza', '¿cuánto cuesta una corona?', '¿aceptan mi seguro?', 'me duele una muela', 'gracias'][cityHash64(number) % 5 + 1],
           if(place % 2 = 1, '', ' Con gusto le explico cómo trabajamos y qué opciones hay en su caso.'), ' ', toString(number % 1000)),
    if(place % 2 = 1, '', ['citas', 'precios', 'ortodoncia', 'urgencia', 'horario', 'implantes', 'seguros'][conversation % 7 + 1]),
    if(place % 2 = 1, '', 'local'),
    if(place % 2 = 1, '', if(conversation % 40 = 0, 'clinica-1', 'clinica-2')),
    if(place % 2 = 1, NULL, toUInt32(400 + cityHash64(number) % 4000)),
    if(place % 2 = 1, NULL, toUInt32(900 + number % 1500)),
    if(place % 2 = 1, NULL, toUInt32(60 + number % 120)),
    if(place % 2 = 1, NULL, NOT (conversation % 7 = 0 AND place = 4)),
    at + toIntervalSecond(place * 18),
    number
FROM numbers({conversations:UInt64} * 10)
