ALTER TABLE `confirmations` ADD `made_of` text;--> statement-breakpoint
ALTER TABLE `confirmations` ADD `message_id` integer;--> statement-breakpoint
CREATE INDEX `confirmations_asked` ON `confirmations` (`chat_id`,`message_id`) WHERE made_of is not null;