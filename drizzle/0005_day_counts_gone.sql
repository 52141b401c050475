DROP TRIGGER `redemptions_counted`;--> statement-breakpoint
DROP TRIGGER `redemptions_counted_at_once`;--> statement-breakpoint
DROP TABLE `day_counts`;
