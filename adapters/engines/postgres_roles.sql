DO $$
DECLARE
    role     text := current_setting('bitacora.role');
    password text := current_setting('bitacora.password');
    owned    record;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'bitacora_writer') THEN
        CREATE ROLE bitacora_writer NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
        EXECUTE format('CREATE ROLE %I', role);
    END IF;
    EXECUTE format('ALTER ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE %s NOBYPASSRLS PASSWORD %L',
        role, CASE role WHEN 'bitacora_replicator' THEN 'REPLICATION' ELSE 'NOREPLICATION' END, password);
    IF role = 'bitacora_replicator' THEN
        RETURN;
    END IF;
    EXECUTE format('GRANT bitacora_writer TO %I', role);
    IF role <> 'bitacora_owner' THEN
        RETURN;
    END IF;
    EXECUTE format('ALTER DATABASE %I OWNER TO %I', current_database(), role);
    FOR owned IN
        SELECT 'TABLE' AS kind, oid::regclass::text AS name
          FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relowner = current_user::regrole
        UNION ALL
        SELECT 'FUNCTION', oid::regprocedure::text
          FROM pg_proc
         WHERE pronamespace = 'public'::regnamespace AND proowner = current_user::regrole
    LOOP
        EXECUTE format('ALTER %s %s OWNER TO %I', owned.kind, owned.name, role);
    END LOOP;
END
$$
