-- The log is append-only for everybody, hand-written SQL included.
CREATE TRIGGER `thinklog_events_no_update` BEFORE UPDATE ON `thinklog_events`
BEGIN
	SELECT RAISE(ABORT, 'thinklog_events is append-only: an event cannot be changed');
END;
--> statement-breakpoint
CREATE TRIGGER `thinklog_events_no_delete` BEFORE DELETE ON `thinklog_events`
BEGIN
	SELECT RAISE(ABORT, 'thinklog_events is append-only: an event cannot be deleted');
END;
