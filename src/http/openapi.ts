// openapi.json: made of the schemas that validate, and open where clients have to be open.
import type { HttpApp } from './context.ts';

/** Of the interface. */
export const VERSION = '1.0.0';

const DOCUMENT = {
  openapi: '3.1.0',
  info: {
    title: 'Code Redemption Service',
    version: VERSION,
    license: { name: 'MIT', identifier: 'MIT' },
    description:
      'Redeems prepaid top-up codes for in-game characters, from a code database or with codes sent along. 300 activations in any 24 hours come with a subscription; purchased ones are used after them. What to do with it is told at [/docs](docs).',
  },
  servers: [{ url: '.', description: 'This service' }],
  tags: [
    { name: 'Redemption', description: 'Redeeming codes, and the look-ups before and after it' },
    { name: 'History', description: 'What was redeemed, and how much' },
    { name: 'Code database', description: 'Codes of the account, taken by denomination' },
    { name: 'Account', description: 'The quota' },
    { name: 'Webhooks', description: 'Addresses that are told of events, and what is sent to them' },
    { name: 'Service', description: 'Health, readiness, metrics, this document' },
  ],
};

/** The text of the document, for all routes that were registered. */
export function writeOpenApi(app: HttpApp): string {
  // Our answers are validated strictly in tests; a client must not break on a field that comes later.
  const withoutLocks = (key: string, value: unknown): unknown =>
    key === 'additionalProperties' && value === false ? undefined : value;
  return JSON.stringify(app.getOpenAPI31Document(DOCUMENT), withoutLocks);
}
