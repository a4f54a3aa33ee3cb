-- Contact messages are listed from the tables: nothing looks for them in the log any more.
DROP INDEX events_contact_messages;
