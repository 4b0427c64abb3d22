CREATE TABLE `thinklog_events` (
	`position` integer PRIMARY KEY NOT NULL,
	`stream` text NOT NULL,
	`version` integer NOT NULL,
	`ordinal` integer NOT NULL,
	`previous` integer,
	`type` text NOT NULL,
	`schema_version` integer NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`correlation_id` text NOT NULL,
	`causation_id` text NOT NULL,
	`data` text NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `thinklog_payloads` (
	`digest` text NOT NULL,
	`part` integer NOT NULL,
	`salt` text NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`digest`, `part`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `thinklog_streams` (
	`stream` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`ordinal` integer NOT NULL,
	`head` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `thinklog_outbox` (
	`notification_id` text PRIMARY KEY NOT NULL,
	`stream` text NOT NULL,
	`turn_id` text NOT NULL,
	`workflow_name` text NOT NULL,
	`workflow_id` text NOT NULL,
	`event_type` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`due_at` integer,
	`failing_since` integer,
	`error` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `thinklog_outbox_due` ON `thinklog_outbox` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `thinklog_queue` (
	`ordinal` integer PRIMARY KEY NOT NULL,
	`turn_id` text NOT NULL,
	`trigger` text NOT NULL,
	`generation` integer NOT NULL,
	`status` text NOT NULL,
	`attempt` integer NOT NULL,
	`epoch` integer NOT NULL,
	`started_at` integer,
	`applied` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `thinklog_submissions` (
	`ordinal` integer PRIMARY KEY NOT NULL,
	`submission_id` text NOT NULL,
	`idempotency_key` text,
	`created_at` integer NOT NULL,
	`payload` text,
	`metadata` text,
	`status` text,
	`error` text,
	`started_at` integer,
	`completed_at` integer,
	`message_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `thinklog_submissions_key` ON `thinklog_submissions` (`idempotency_key`) WHERE idempotency_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `thinklog_submissions_ended` ON `thinklog_submissions` (`status`) WHERE status IS NOT NULL;--> statement-breakpoint
CREATE TABLE `thinklog_tombstones` (
	`idempotency_key` text PRIMARY KEY NOT NULL,
	`stream` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `thinklog_checkpoints` (
	`name` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL
) WITHOUT ROWID;
