PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`chat_id` integer NOT NULL,
	`message_key` text NOT NULL,
	`message_secret` blob NOT NULL,
	`kind` text DEFAULT 'result' NOT NULL,
	`state` text NOT NULL,
	`job_id` integer,
	`at` integer NOT NULL,
	CONSTRAINT "outbox_state" CHECK(state in ('waiting', 'sent', 'dropped', 'owed')),
	CONSTRAINT "outbox_kind" CHECK(kind in ('answer', 'result', 'notice'))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_outbox`("id", "chat_id", "message_key", "message_secret", "kind", "state", "job_id", "at") SELECT "id", "chat_id", "message_key", "message_secret", CASE WHEN "message_key" LIKE 'notice:%' THEN 'notice' WHEN "message_key" LIKE 'words:%' THEN 'answer' ELSE 'result' END, "state", "job_id", "at" FROM `outbox`;--> statement-breakpoint
DROP TABLE `outbox`;--> statement-breakpoint
ALTER TABLE `__new_outbox` RENAME TO `outbox`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_by_key` ON `outbox` (`message_key`);--> statement-breakpoint
CREATE INDEX `outbox_waiting` ON `outbox` (`chat_id`,(kind = 'notice'),`at`,`id`) WHERE state = 'waiting' and job_id is null;--> statement-breakpoint
CREATE INDEX `outbox_owed` ON `outbox` (`chat_id`) WHERE state = 'owed';--> statement-breakpoint
CREATE INDEX `outbox_held` ON `outbox` (`job_id`) WHERE job_id is not null and state = 'waiting';--> statement-breakpoint
CREATE INDEX `outbox_by_age` ON `outbox` (`at`);