CREATE TABLE `thinklog_workflow_requests` (
	`workflow_id` text PRIMARY KEY NOT NULL,
	`workflow_name` text NOT NULL,
	`params` text,
	`metadata` text,
	`agent_binding` text,
	`retention` text,
	`failure` text
) WITHOUT ROWID;
