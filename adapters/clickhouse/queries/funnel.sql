-- How far conversations got, and how many of those at a step had been at the one before; and
-- the visits of the period without a conversation, where no filter asks for conversations.
SELECT conversations, consents, leads, appointments, leads_with_consent, appointments_with_lead, quiet_visits, opened_quiet_visits
FROM
(
    SELECT
        count()                       AS conversations,
        countIf(consent)              AS consents,
        countIf(lead)                 AS leads,
        countIf(appointment)          AS appointments,
        countIf(lead AND consent)     AS leads_with_consent,
        countIf(appointment AND lead) AS appointments_with_lead
    FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})
) AS counted
CROSS JOIN
(
    SELECT count() AS quiet_visits, countIf(opened_by_visitor) AS opened_quiet_visits
    FROM visits FINAL
    WHERE started_at >= {from:DateTime64(3, 'UTC')}
      AND started_at <  {to:DateTime64(3, 'UTC')}
      AND empty({filter:Map(String, String)})
      AND NOT conversation
) AS quiet
