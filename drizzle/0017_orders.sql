CREATE TABLE `order_items` (
	`order_id` text NOT NULL,
	`n` integer NOT NULL,
	`denomination` integer NOT NULL,
	`redemption_id` integer,
	PRIMARY KEY(`order_id`, `n`),
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`telegram_id` integer NOT NULL,
	`chat_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`language` text,
	`game_id` text NOT NULL,
	`player_id` text NOT NULL,
	`player_name` text NOT NULL,
	`warned_of` integer NOT NULL,
	`state` text NOT NULL,
	`stop_asked` integer DEFAULT 0 NOT NULL,
	`reason` text,
	`at` integer NOT NULL,
	`ended_at` integer,
	CONSTRAINT "orders_state" CHECK(state in ('running', 'done', 'stopped')),
	CONSTRAINT "orders_ended" CHECK((state = 'running') = (ended_at is null)),
	CONSTRAINT "orders_reason" CHECK((state = 'stopped') = (reason is not null))
) STRICT;
--> statement-breakpoint
CREATE INDEX `orders_running` ON `orders` (`id`) WHERE state = 'running';--> statement-breakpoint
CREATE INDEX `orders_by_age` ON `orders` (`ended_at`);