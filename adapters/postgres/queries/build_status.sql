-- How every build stands that has not been dropped.
SELECT b.name, b.state, b.version, b.epoch::text, b.target, b.created_at,
       c.projection IS NOT NULL, coalesce(c.position, 0), coalesce(c.announced, 0), c.epoch::text,
       CASE WHEN c.recorded_at IS NOT NULL AND c.position < h.position
            THEN extract(epoch FROM clock_timestamp() - c.recorded_at) ELSE 0 END::float8,
       c.updated_at, coalesce(c.hold_at, 0), coalesce(c.hold_until > clock_timestamp(), false),
       coalesce(c.trouble, ''),
       coalesce(w.owner, ''), coalesce(w.expires_at > clock_timestamp(), false),
       (SELECT count(*) FROM parked_conversations p WHERE p.projection = b.name), b.retried,
       (SELECT coalesce(sum(r.last - r.first + 1), 0)::bigint FROM build_ranges r WHERE r.build = b.name AND r.replayed_at IS NOT NULL),
       h.position, l.epoch::text, l.adopted_from::text,
       l.cluster IS DISTINCT FROM (SELECT system_identifier FROM pg_control_system())
  FROM projection_builds b
 CROSS JOIN log_epoch l
 CROSS JOIN (SELECT coalesce(max(position), 0) AS position FROM events) h
  LEFT JOIN projection_checkpoints c ON c.projection = b.name
  LEFT JOIN leases w ON w.name = b.name
 WHERE b.state <> 'dropped'
 ORDER BY b.created_at, length(b.name), b.name
