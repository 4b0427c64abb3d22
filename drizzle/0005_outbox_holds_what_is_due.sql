DROP TABLE `thinklog_outbox`;--> statement-breakpoint
CREATE TABLE `thinklog_outbox` (
	`notification_id` text PRIMARY KEY NOT NULL,
	`turn_id` text NOT NULL,
	`ordinal` integer NOT NULL,
	`workflow_name` text NOT NULL,
	`workflow_id` text NOT NULL,
	`event_type` text NOT NULL,
	`attempts` integer NOT NULL,
	`due_at` integer NOT NULL,
	`failing_since` integer,
	`error` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `thinklog_parked` (
	`notification_id` text PRIMARY KEY NOT NULL,
	`turn_id` text NOT NULL,
	`ordinal` integer NOT NULL,
	`workflow_name` text NOT NULL,
	`workflow_id` text NOT NULL,
	`event_type` text NOT NULL,
	`attempts` integer NOT NULL,
	`reason` text NOT NULL
) WITHOUT ROWID;
