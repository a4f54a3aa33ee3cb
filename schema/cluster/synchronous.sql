-- From the first start on, a commit waits until the standby has it.
ALTER SYSTEM SET synchronous_standby_names = '*';
