CREATE TABLE `thinklog_active_leaf` (
	`session_id` text PRIMARY KEY NOT NULL,
	`leaf_id` text NOT NULL,
	`tail_id` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `think_config` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
) WITHOUT ROWID;
