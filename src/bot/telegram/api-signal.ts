// A signal for calls of grammY, whose type of one is of before Node had its own.
import type { Api } from 'grammy';

type ApiSignal = Parameters<Api['getMe']>[0];

export const asApiSignal = (signal: AbortSignal): ApiSignal => signal as unknown as ApiSignal;
