#!/bin/sh
# Entry of every node, before the image's own. The nodes ask each other with the password of their user, which
# their configuration takes as a piece of XML.
set -eu
CLUSTER_PASSWORD=$(sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' "$CLICKHOUSE_PASSWORD_FILE")
# Whether replicas copy rows themselves, with Keeper, or every one of them is written by whoever inserts.
CLUSTER_COPIES=false
[ "$REPLICATION" != keeper ] || CLUSTER_COPIES=true
export CLUSTER_PASSWORD CLUSTER_COPIES
exec /entrypoint.sh
