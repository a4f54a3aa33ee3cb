-- The conversations that every number of the dashboard is about: those that started in
-- [from, to), as far as the filter lets them through. Conditions that the filter does not name
-- are folded away before anything is read. A subquery checks the filter's names and values, since
-- it is answered once, and also where no row is left. Analysts ask this view; for the dashboard its
-- SELECT is put into the question, since a view is analysed twice. Rights are as in the others.
CREATE OR REPLACE VIEW {views}.cohort
(
    {columns of conversations},
    out_of_hours Bool COMMENT 'It started while the clinic was closed, by the opening hours that were given' -- of started_at
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS WITH
    {filter:Map(String, String)} AS wanted,
    map(
        'lead', 'true|false', 'appointment', 'true|false', 'consent', 'true|false', 'unanswered', 'true|false',
        'failed', 'true|false', 'flagged', 'true|false', 'out_of_hours', 'true|false',
        'flag', 'crisis|emergency|urgency|complaint|callback', 'rated', 'positive|negative',
        'weekday', '[1-7]', 'hour', '1?[0-9]|2[0-3]', 'min_active_ms', '[0-9]{1,15}', 'max_active_ms', '[0-9]{1,15}',
        'topic', '.*', 'unanswered_topic', '.*', 'rated_topic', '.*', 'model', '.*', 'search', '.*'
    ) AS known,
    mapFilter(
        (name, value) -> NOT mapContains(known, name)
            OR NOT match(value, concat('^((?s)', known[name], ')?$'))
            OR name = 'rated_topic' AND value != '' AND wanted['rated'] = '',
        wanted
    ) AS refused,
    -- A pattern finds a text without lowering and unaccenting it, which takes several times as long.
    concat('(?i)', arrayStringConcat(arrayMap(
        letter -> transform(letter, ['a', 'e', 'i', 'o', 'u'], ['[aá]', '[eé]', '[ií]', '[oó]', '[uúü]'], regexpQuoteMeta(letter)),
        extractAll(translateUTF8(lowerUTF8(wanted['search']), 'áéíóúü', 'aeiouu'), '(?s).')
    ))) AS pattern,
    (toDayOfWeek(started_at) - 1) * 1440 + toHour(started_at) * 60 + toMinute(started_at) AS minute_of_week
SELECT
    {values of conversations},
    (NOT arrayExists(span -> span.1 <= minute_of_week AND minute_of_week < span.2, {opening:Array(Tuple(UInt16, UInt16))}))::Bool AS out_of_hours
FROM {database}.conversations FINAL
WHERE started_at >= {from:DateTime64(3, 'UTC')}
  AND started_at <  {to:DateTime64(3, 'UTC')}
  AND NOT (SELECT throwIf(notEmpty(refused), concat('the filter ', toString(refused), ' is none: names and values are ', toString(known), ', and rated_topic goes with rated')))
  AND (wanted['lead'] = '' OR lead = (wanted['lead'] = 'true'))
  AND (wanted['appointment'] = '' OR appointment = (wanted['appointment'] = 'true'))
  AND (wanted['consent'] = '' OR consent = (wanted['consent'] = 'true'))
  AND (wanted['unanswered'] = '' OR (unanswered > 0) = (wanted['unanswered'] = 'true'))
  AND (wanted['failed'] = '' OR (failures > 0) = (wanted['failed'] = 'true'))
  AND (wanted['flagged'] = '' OR notEmpty(flags) = (wanted['flagged'] = 'true'))
  AND (wanted['flag'] = '' OR has(flags, wanted['flag']))
  AND (wanted['out_of_hours'] = '' OR out_of_hours = (wanted['out_of_hours'] = 'true'))
  AND (wanted['topic'] = '' OR has(if(empty(topics), ['-'], topics), wanted['topic']))
  AND (wanted['min_active_ms'] = '' OR active_ms >= toUInt64OrZero(wanted['min_active_ms']))
  AND (wanted['max_active_ms'] = '' OR active_ms <= toUInt64OrZero(wanted['max_active_ms']))
  AND (wanted['weekday'] = '' OR toDayOfWeek(started_at) = toUInt8OrZero(wanted['weekday']))
  AND (wanted['hour'] = '' OR toHour(started_at) = toUInt8OrZero(wanted['hour']))
  AND (wanted['search'] = '' OR conversation_id IN (
      SELECT conversation_id
      FROM {database}.messages FINAL
      WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
        AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
        AND wanted['search'] != ''
        AND match(text, pattern)))
  AND (wanted['model'] = '' OR has(models, if(wanted['model'] = '-', '', wanted['model'])))
  AND (wanted['unanswered_topic'] = '' OR conversation_id IN (
      SELECT conversation_id
      FROM {database}.messages FINAL
      WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
        AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
        AND wanted['unanswered_topic'] != ''
        AND NOT answered AND if(topic = '', '-', topic) = wanted['unanswered_topic']))
  AND (wanted['rated'] = '' OR conversation_id IN (
      SELECT conversation_id
      FROM {database}.ratings FINAL
      WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
        AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
        AND wanted['rated'] != ''
        AND rating = wanted['rated']
        AND (wanted['rated_topic'] = '' OR if(topic = '', '-', topic) = wanted['rated_topic'])))
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'The conversations of a period that match a filter, as the dashboard counts them: cohort(from, to, filter, opening), all four needed. Do not write a local time as from or to: they are in UTC, and cohort_days takes days'
