# What the real image does at its start, as far as docker/compose.yaml needs it.
set -e
cd /var/lib/postgresql/data
if [ ! -e PG_VERSION ]; then
  initdb --pgdata=. --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth=scram-sha-256 >/dev/null
  echo "host all all all scram-sha-256" >> pg_hba.conf
  echo "CREATE DATABASE $POSTGRES_USER" | postgres --single -D . postgres >/dev/null
fi
exec postgres -D . -c listen_addresses='*' "$@"
