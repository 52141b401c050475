// By what a doubt about an order at an upstream ends, beside its answer and a person.
import type { Platform } from '../../platform/port.ts';

export type UpstreamProof = 'record' | 'lookup' | 'resend';

/** Where it has neither, only the same code sent again for the same player can tell. */
export function listProofs(platform: Pick<Platform, 'findRecord' | 'hasNoLookUp'>): UpstreamProof[] {
  const proofs: UpstreamProof[] = [];
  if (platform.findRecord) proofs.push('record');
  if (!platform.hasNoLookUp) proofs.push('lookup');
  return proofs.length > 0 ? proofs : ['resend'];
}
