-- Of the server's first start. The program owns its database and is no superuser; the superuser gets no password, so
-- that it can only be reached from within the server's container.
\set password `cat /run/secrets/database_password`
CREATE ROLE bitacora_writer NOLOGIN;
CREATE ROLE bitacora LOGIN PASSWORD :'password';
GRANT bitacora_writer TO bitacora;
ALTER DATABASE bitacora OWNER TO bitacora;
ALTER ROLE postgres PASSWORD NULL;
