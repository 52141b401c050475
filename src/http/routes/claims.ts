// Claim links: made for what the stock holds, listed, revoked while nobody has used them, opened once more. Their page is
// claim-page.ts.
import { createRoute, z } from '@hono/zod-openapi';

import type { ClaimRecord, IssueAnswer } from '../../core/index.ts';
import { readJson } from '../body.ts';
import type { HttpDeps } from '../context.ts';
import type { Endpoints } from '../endpoints.ts';
import { HttpProblem } from '../errors.ts';
import { parse, parseQuery, requireIdempotencyKey } from '../requests.ts';
import {
  ClaimConflict,
  ClaimId,
  ClaimsQuery,
  createClaimsBody,
  IssuedClaims,
  renderClaim,
  WireClaim,
} from '../../wire/claims.ts';
import { OrderConflict } from '../../wire/orders.ts';
import {
  answers,
  BODY_ANSWERS,
  NO_SUBSCRIPTION_OR_PAUSED,
  Problem,
  REPLAY_ANSWERS,
  RequiredKeyHeaders,
  sends,
} from '../../wire/problem.ts';

const params = z.object({ id: ClaimId });
const notFound = answers(Problem, 'No such claim of this account: `CLAIM_NOT_FOUND`', {
  error: 'There is no such claim in this account. Check the identifier.',
  errorCode: 'CLAIM_NOT_FOUND',
});

/** `publicUrl`: the origin that links begin with. */
export function mountClaims(deps: HttpDeps, endpoints: Endpoints, publicUrl: string): void {
  mountIssuing(deps, endpoints, publicUrl);
  mountReading(deps, endpoints);
  mountActs(deps, endpoints);
}

function mountIssuing({ core }: HttpDeps, endpoints: Endpoints, publicUrl: string): void {
  const Body = createClaimsBody(core.games);
  const issue = createRoute({
    method: 'post',
    path: '/claims',
    operationId: 'issueClaims',
    tags: ['Claims'],
    summary: 'Make links to sell: whoever opens one is redeemed what it is for',
    description:
      'The stock keeps the codes for them; they are charged once they are redeemed. Links are told here alone: the same key again answers the same links, as they are now.',
    request: { headers: RequiredKeyHeaders, body: sends(Body) },
    responses: {
      ...BODY_ANSWERS,
      ...REPLAY_ANSWERS,
      200: answers(IssuedClaims, 'Made earlier under this key: the same links, as they are now'),
      201: answers(IssuedClaims, 'Made'),
      403: NO_SUBSCRIPTION_OR_PAUSED,
      409: answers(
        OrderConflict,
        'None was made: `NOT_ENOUGH_STOCK` with what is missing, or `NO_COMPOSITION` with the nearest sums',
      ),
    },
  });
  endpoints.free(issue, async (c, actor) => {
    const idempotencyKey = requireIdempotencyKey(c);
    const answer = await core.claims.issue(actor, { ...parse(Body, await readJson(c)), idempotencyKey });
    if (answer.status !== 'issued') throw refuse(answer);
    const claims = answer.claims.map(({ token, ...claim }) => ({
      ...renderClaim(claim),
      url: `${publicUrl}/c/${token}`,
    }));
    const promised = claims.reduce((sum, claim) => sum + claim.promised, 0);
    const headers = { ...(answer.replayed && { 'idempotency-replayed': 'true' }) };
    return c.json({ claims, promised } satisfies IssuedClaims, answer.replayed ? 200 : 201, headers);
  });
}

function refuse(refused: Exclude<IssueAnswer, { status: 'issued' }>): HttpProblem {
  if (refused.status === 'notEnoughStock') {
    const { missing } = refused;
    const what = missing.map(({ denomination, count }) => `${count} of ${denomination}`).join(', ');
    const error = `There is not enough stock for all of the links: none was made. Missing: ${what}.`;
    return new HttpProblem(409, { error, errorCode: 'NOT_ENOUGH_STOCK', missing });
  }
  const { status: _status, ...nearest } = refused;
  const error = 'No codes that are available make exactly this amount for each of the links: none was made.';
  return new HttpProblem(409, { error, errorCode: 'NO_COMPOSITION', ...nearest });
}

function mountReading({ core }: HttpDeps, endpoints: Endpoints): void {
  const list = createRoute({
    method: 'get',
    path: '/claims',
    operationId: 'listClaims',
    tags: ['Claims'],
    summary: 'Claims, the newest first, 100 at a time',
    request: { query: ClaimsQuery },
    responses: {
      200: answers(z.array(WireClaim), 'A page'),
      400: answers(Problem, 'A state that is none, or a field that there is not'),
    },
  });
  const one = createRoute({
    method: 'get',
    path: '/claims/{id}',
    operationId: 'getClaim',
    tags: ['Claims'],
    summary: 'A claim as it is now',
    request: { params },
    responses: { 200: answers(WireClaim, 'The claim'), 404: notFound },
  });
  endpoints.free(list, (c, actor) =>
    c.json(core.claims.list(actor, parseQuery(ClaimsQuery, c)).map(renderClaim)),
  );
  endpoints.free(one, (c, actor) =>
    c.json(renderClaim(requireClaim(core.claims.find(actor, c.req.param('id') ?? '')))),
  );
}

function mountActs({ core }: HttpDeps, endpoints: Endpoints): void {
  const revoke = createRoute({
    method: 'post',
    path: '/claims/{id}/revoke',
    operationId: 'revokeClaim',
    tags: ['Claims'],
    summary: 'End a link that nobody has used',
    description: 'What the stock keeps for it is for others then. Safe to repeat.',
    request: { params },
    responses: {
      200: answers(WireClaim, 'It opens nothing any more'),
      404: notFound,
      409: answers(ClaimConflict, 'There is an order of it, or its time was over: `CLAIM_IN_USE`', {
        error: 'Somebody has used this claim, or its time was over: it stays as it is.',
        errorCode: 'CLAIM_IN_USE',
      }),
    },
  });
  const reopen = createRoute({
    method: 'post',
    path: '/claims/{id}/reopen',
    operationId: 'reopenClaim',
    tags: ['Claims'],
    summary: 'Open a stuck link once more',
    description:
      'It waits for a player anew. One whose order has stopped is opened where nothing of that was redeemed; else resume the order.',
    request: { params },
    responses: {
      200: answers(WireClaim, 'It is open'),
      404: notFound,
      409: answers(ClaimConflict, 'It is not stuck, or something of it is redeemed: `CLAIM_NOT_STUCK`', {
        error: 'This claim is not stuck, or something of it is redeemed.',
        errorCode: 'CLAIM_NOT_STUCK',
      }),
    },
  });
  endpoints.free(revoke, async (c, actor) => {
    const answer = await core.claims.revoke(actor, c.req.param('id') ?? '');
    if (answer?.status !== 'inUse') return c.json(renderClaim(requireClaim(answer?.claim)));
    const error = 'Somebody has used this claim, or its time was over: it stays as it is.';
    throw new HttpProblem(409, { error, errorCode: 'CLAIM_IN_USE' });
  });
  endpoints.free(reopen, async (c, actor) => {
    const answer = await core.claims.reopen(actor, c.req.param('id') ?? '');
    if (answer?.status !== 'notStuck') return c.json(renderClaim(requireClaim(answer?.claim)));
    const error = 'This claim is not stuck, or something of it is redeemed.';
    throw new HttpProblem(409, { error, errorCode: 'CLAIM_NOT_STUCK' });
  });
}

function requireClaim(claim: ClaimRecord | undefined): ClaimRecord {
  if (claim !== undefined) return claim;
  const error = 'There is no such claim in this account. Check the identifier.';
  throw new HttpProblem(404, { error, errorCode: 'CLAIM_NOT_FOUND' });
}
