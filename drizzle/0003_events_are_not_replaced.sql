-- INSERT OR REPLACE deletes a row without asking the DELETE trigger.
CREATE TRIGGER `thinklog_events_no_replace` BEFORE INSERT ON `thinklog_events`
WHEN EXISTS (SELECT 1 FROM `thinklog_events` WHERE `position` = NEW.`position`)
BEGIN
	SELECT RAISE(ABORT, 'thinklog_events is append-only: an event cannot be replaced');
END;
