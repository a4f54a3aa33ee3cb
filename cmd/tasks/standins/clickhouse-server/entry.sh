#!/bin/sh
# The stand-in's part of what the entry of ClickHouse's image does: the user, and who the server runs as.
set -eu
folder=/etc/clickhouse-server
if [ "$(id -u)" = 0 ]; then
  [ -z "${CLICKHOUSE_PASSWORD_FILE:-}" ] || CLICKHOUSE_PASSWORD=$(cat "$CLICKHOUSE_PASSWORD_FILE")
  hash=$(printf %s "$CLICKHOUSE_PASSWORD" | sha256sum | cut -d' ' -f1)
  cat > $folder/users.xml <<XML
<clickhouse>
  <profiles><default><implicit_select>0</implicit_select></default></profiles>
  <quotas><default/></quotas>
  <users>
    <default><no_password/><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
    <$CLICKHOUSE_USER>
      <password_sha256_hex>$hash</password_sha256_hex>
      <networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
    </$CLICKHOUSE_USER>
  </users>
</clickhouse>
XML
  unset CLICKHOUSE_PASSWORD
  chown clickhouse /var/lib/clickhouse
  exec gosu clickhouse "$0"
fi
# A server looks by itself whether names lead elsewhere by now, and clickhouse local does not.
while sleep 5; do
  wget --quiet --output-document=- --post-data='SYSTEM DROP DNS CACHE' http://127.0.0.1:8123/ || true
done &
cd /var/lib/clickhouse
HOME=/var/lib/clickhouse exec clickhouse-standin
