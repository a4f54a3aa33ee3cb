#!/bin/sh
# The stand-in's part of what the entry of PostgreSQL's image does: the first start, and who the server runs as.
set -eu
[ "${1:-}" = postgres ] || exec "$@"
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chown -R postgres "$PGDATA" /var/run/postgresql
  exec gosu postgres "$0" "$@"
fi
mkdir -p "$PGDATA"
chmod 700 "$PGDATA"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # shellcheck disable=SC2086
  initdb -D "$PGDATA" -U postgres --pwfile="$POSTGRES_PASSWORD_FILE" ${POSTGRES_INITDB_ARGS:-}
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  shift
  pg_ctl -D "$PGDATA" -o "$* -c listen_addresses=''" -w start
  psql --username=postgres --dbname=postgres --command="CREATE DATABASE $POSTGRES_DB"
  for script in /docker-entrypoint-initdb.d/*.sql; do
    [ ! -e "$script" ] || psql --set=ON_ERROR_STOP=1 --username=postgres --dbname="$POSTGRES_DB" --file="$script"
  done
  pg_ctl -D "$PGDATA" -m fast -w stop
  set -- postgres "$@"
fi
exec "$@"
