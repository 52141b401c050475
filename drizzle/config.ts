// For `npm run migrations`: drizzle-kit compares src/store/schema/index.ts with the last migration and writes the next.
// After it, append STRICT to each new table by hand: drizzle-kit does not write it, and a test asserts it.
import { defineConfig } from 'drizzle-kit';

export default defineConfig({ dialect: 'sqlite', schema: './src/store/schema/index.ts', out: './drizzle' });
