// Every endpoint of the HTTP interface as a ready call, filled with what the playground has.
const GAME = 'game_id_1';
const PLAYER = '5170925571';

/** `codes`: fresh ones; `receipt`: the number of one that exists. */
export function listCalls({ codes, receipt, orderKey }) {
  const player = `gameId=${GAME}&playerId=${PLAYER}`;
  return [
    { method: 'GET', path: '/quota', about: 'What is used and left', cost: 'free' },
    { method: 'GET', path: '/db', about: 'The stock by denomination', cost: 'free' },
    {
      method: 'POST',
      path: '/db',
      about: 'Add codes',
      cost: 'free',
      body: [{ denomination: 60, codes: codes.slice(0, 2) }],
    },
    { method: 'GET', path: `/character?${player}`, about: 'The name behind a player ID', cost: '0.25' },
    {
      method: 'POST',
      path: '/redeem',
      about: 'Redeem a code. Run it twice: the same key is the same redemption',
      cost: '1',
      headers: { 'Idempotency-Key': orderKey },
      body: { gameId: GAME, playerId: PLAYER, denomination: 60 },
    },
    { method: 'GET', path: `/history/${receipt}`, about: 'A receipt by its number', cost: 'free' },
    { method: 'GET', path: '/history', about: 'What was redeemed', cost: 'free' },
    { method: 'GET', path: '/stats', about: 'Redemptions and failures by day', cost: 'free' },
    {
      method: 'POST',
      path: '/redemption-time',
      about: 'When a code was redeemed, and by whom',
      cost: '1',
      body: { gameId: GAME, code: codes[0] ?? '' },
    },
    {
      method: 'POST',
      path: '/db/extract',
      about: 'Take codes out of the database',
      cost: 'free',
      headers: { 'Idempotency-Key': `${orderKey}-extract` },
      body: { denomination: 60, amount: 1 },
    },
    { method: 'GET', path: '/readyz', about: 'Whether it is ready to work', cost: 'open' },
    { method: 'GET', path: '/openapi.json', about: 'The interface, for programs', cost: 'open' },
  ];
}

/** The call as a line for a shell. */
export function curlOf({ method, path, headers = {}, body, cost }, { apiUrl, apiKey }) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const lines = [`curl -s ${method === 'GET' ? '' : `-X ${method} `}${quoted(apiUrl + path)}`];
  if (cost !== 'open') lines.push(`-H ${quoted(`Authorization: Bearer ${apiKey}`)}`);
  if (body !== undefined) lines.push(`-H 'Content-Type: application/json'`);
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push(`-d ${quoted(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}
