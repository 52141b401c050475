CREATE TABLE `charge_notes` (
	`charge_id` text NOT NULL,
	`kind` text NOT NULL,
	`payer_id` integer NOT NULL,
	`currency` text NOT NULL,
	`amount` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`charge_id`, `kind`),
	CONSTRAINT "charge_notes_kind" CHECK(kind in ('unbooked', 'refunded'))
) STRICT;
