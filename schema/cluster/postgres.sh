#!/bin/sh
# Entry of both servers, before the image's own: one that has no database yet and is to be the copy of another
# begins as that, and follows it from then on. A directory with a database in it stays what it is.
set -eu
if [ -n "$COPY_OF" ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  copy=$PGDATA.copy
  PGPASSWORD=$(cat "$POSTGRES_PASSWORD_FILE")
  export PGPASSWORD
  until
    rm -rf "$copy"
    gosu postgres pg_basebackup --pgdata="$copy" --wal-method=fetch --checkpoint=fast --write-recovery-conf \
      --dbname="host=$COPY_OF user=replicator application_name=$(hostname)"
  do
    sleep 2
  done
  unset PGPASSWORD
  # Promoted, it has no standby that its commits could wait for.
  echo "synchronous_standby_names = ''" >> "$copy/postgresql.auto.conf"
  rm -rf "$PGDATA"
  mv "$copy" "$PGDATA"
fi
exec docker-entrypoint.sh postgres "$@"
