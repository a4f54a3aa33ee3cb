SELECT outcome, first_position, first_version, recorded
  FROM append_events(
    s_name           => $1,
    q_month          => $2,
    r_stream         => $3,
    r_expected       => $4,
    r_events         => $5,
    r_sealed         => $6,
    r_key            => $7,
    r_quota          => $8,
    r_limit          => $9,
    e_request        => $10,
    e_nth            => $11,
    e_id             => $12,
    e_type           => $13,
    e_schema_version => $14,
    e_occurred_at    => $15,
    e_data           => $16,
    e_sealed         => $17,
    e_metadata       => $18
  )
