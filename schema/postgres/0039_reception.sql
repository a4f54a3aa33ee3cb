-- A role for the reception. A program that does not know the role allows it nothing.

ALTER TABLE staff_accounts DROP CONSTRAINT staff_accounts_role_check;
ALTER TABLE staff_accounts ADD CONSTRAINT staff_accounts_role_check CHECK (role IN ('staff', 'owner', 'reception', 'reader'));
COMMENT ON COLUMN staff_accounts.role IS 'staff does the work of the clinic, owner also manages accounts, reception neither exports nor erases data, reader sees numbers alone.';
