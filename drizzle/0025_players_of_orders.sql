ALTER TABLE `order_items` ADD `player_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `order_items` ADD `player_name` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `order_items` SET (`player_id`, `player_name`) = (SELECT o.`player_id`, o.`player_name` FROM `orders` o WHERE o.`id` = `order_id`);--> statement-breakpoint
ALTER TABLE `orders` DROP COLUMN `player_id`;--> statement-breakpoint
ALTER TABLE `orders` DROP COLUMN `player_name`;