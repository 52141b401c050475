// The package: a client of the code redemption service.
export * from './client.ts';
export type { Answer, ClientOptions, NotAnswered, Problem } from './http.ts';
export * from './webhooks.ts';
