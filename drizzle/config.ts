// For `npm run migrations`: drizzle-kit compares src/store/schema/index.ts with the last migration and writes the next.
// After it, append STRICT to each new table by hand, and what drizzle-kit does not write: triggers, WITHOUT ROWID. Tests assert them.
// Until 1.0.0 is published the baseline is made anew; from then on a migration is never changed.
import { defineConfig } from 'drizzle-kit';

export default defineConfig({ dialect: 'sqlite', schema: './src/store/schema/index.ts', out: './drizzle' });
