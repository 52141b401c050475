// For `npm run migrations`: drizzle-kit compares src/store/schema/index.ts with the last migration and writes the next.
// After it, append STRICT to each new table by hand, and what drizzle-kit does not write: triggers, WITHOUT ROWID. Tests assert them.
// From 1.0.0 on a migration is never changed; migrations.test.ts holds each by its digest.
import { defineConfig } from 'drizzle-kit';

export default defineConfig({ dialect: 'sqlite', schema: './src/store/schema/index.ts', out: './drizzle' });
