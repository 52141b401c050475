// The service itself, as the client's tests open it.
import { startTestApp } from '../../../test/harness/app.ts';
import { createClient } from '../src/index.ts';

export async function openService() {
  const app = await startTestApp();
  const options = { url: app.url, apiKey: app.apiKey };
  let added = 0;
  return {
    options,
    async addCodes(denomination: number, ...codes: string[]): Promise<void> {
      const answer = await createClient(options).stock.add([{ denomination, codes }], {
        key: `add-${(added += 1)}`,
      });
      if (answer.status !== 'ok') throw new Error(JSON.stringify(answer));
    },
    /** Receipts that the service has given. */
    async countSpent(): Promise<number> {
      const answer = await app.request('/history');
      return (answer.json as { error: boolean }[]).filter(({ error }) => !error).length;
    },
    close: () => app.stop(),
  };
}
