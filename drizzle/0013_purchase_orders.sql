CREATE TABLE `purchase_orders` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`ordered_by` integer NOT NULL,
	`kind` text NOT NULL,
	`count` integer NOT NULL,
	`currency` text NOT NULL,
	`amount` integer NOT NULL,
	`at` integer NOT NULL,
	`charge_id` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "purchase_orders_kind" CHECK(kind in ('activations', 'subscription')),
	CONSTRAINT "purchase_orders_amounts" CHECK(count > 0 and amount > 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `purchase_orders_by_age` ON `purchase_orders` (`at`);