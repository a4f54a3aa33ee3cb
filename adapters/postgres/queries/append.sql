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
    r_claim          => $10,
    r_release        => $11,
    e_request        => $12,
    e_nth            => $13,
    e_id             => $14,
    e_type           => $15,
    e_schema_version => $16,
    e_occurred_at    => $17,
    e_data           => $18,
    e_sealed         => $19,
    e_metadata       => $20
  )
