CREATE TABLE `thinklog_scheduled_tasks` (
	`task_id` text PRIMARY KEY NOT NULL,
	`action` text,
	`schedule` text,
	`time_zone` text,
	`schedule_key` text,
	`fingerprint` text,
	`anchor` integer,
	`problem` text,
	`next` integer,
	`starts` integer NOT NULL,
	`last_slot` integer,
	`last_at` integer,
	`last_outcome` text,
	`last_error` text,
	`last_submission_id` text
) WITHOUT ROWID;
