-- Up to where the erasure ledger, a file outside of the database, was applied to it.

ALTER TABLE log_epoch ADD COLUMN ledger_mark text NOT NULL DEFAULT '';
COMMENT ON COLUMN log_epoch.ledger_mark IS 'Mark of the last erasure of the ledger whose key is known to be destroyed here; empty: none. A database that was put back to an older day has an older one, and what follows is applied again.';
GRANT UPDATE (ledger_mark) ON log_epoch TO bitacora_writer;
