-- What was said in the conversations of bench_conversations.sql.
INSERT INTO messages
    (conversation_id, conversation_started_at, ordinal, message_id, sender, text, topic, provider, model,
     latency_ms, tokens_in, tokens_out, answered, sent_at, position)
WITH
    salt -> cityHash64(last_position, place, salt) AS draw,
    ['¿Cuánto cuesta una corona de zirconio?', 'Quiero una cita para una limpieza esta semana, por la tarde si se puede',
     '¿Aceptan mi seguro?', 'Me duele mucho una muela desde anoche', 'Muchas gracias', '¿Atienden los sábados?',
     'Hola, buenas tardes', '¿Dónde queda la clínica y hay estacionamiento?', 'Necesito cambiar mi cita del jueves',
     '¿Hacen ortodoncia invisible para adultos?', '¿Tienen financiamiento?', 'Mi correo es ●●●'] AS questions,
    ['Con gusto le explico cómo trabajamos y qué opciones hay en su caso. La primera consulta es una valoración en la que el doctor revisa y le entrega un presupuesto por escrito.',
     'Atendemos de lunes a viernes de 8:00 a. m. a 7:00 p. m. y los sábados de 9:00 a. m. a 3:00 p. m. ¿Qué día le queda mejor?',
     'Siento que esté pasando por eso. ¿El dolor es constante o solo al masticar? Puedo buscarle el primer espacio libre de hoy.',
     'Esa información no la tengo publicada. Puedo dejar su consulta para que recepción le llame.'] AS replies,
    sender = 'assistant' AS reply
SELECT
    conversation_id,
    started_at,
    arrayJoin(range(1, message_count + 1)) AS place,
    reinterpretAsUUID(sipHash128(last_position, place)),
    if(place % 2 = 1, 'visitor', 'assistant') AS sender,
    concat(if(reply, replies[draw(1) % 4 + 1], questions[draw(2) % 12 + 1]), if(draw(3) % 3 = 0, concat(' ', toString(draw(4) % 5000)), '')),
    if(reply, topics[draw(5) % greatest(length(topics), 1) + 1], ''),
    if(reply, 'local', ''),
    if(reply, models[1], ''),
    if(reply, toUInt32(300 + draw(7) % 900 + if(draw(8) % 50 = 0, draw(9) % 9000, 0)), NULL),
    if(reply, toUInt32(900 + draw(10) % 1500), NULL),
    if(reply, toUInt32(60 + draw(11) % 120), NULL),
    if(reply, NOT has(unanswered_ordinals, place), NULL),
    started_at + toIntervalSecond(place * 18),
    last_position * 20 + place
FROM conversations
WHERE last_position >= {first:UInt64} AND last_position < {first:UInt64} + {count:UInt64}
