// What redemptions have cost at an upstream, by the price that each was sent at; exact, whatever the currency.

const DIGITS = 6;

/** `prices`: as the ledger has them, "0.30 USD". Their sums, one a currency, as "1.50 USD". */
export function sumCosts(prices: readonly string[]): string[] {
  const sums = new Map<string, bigint>();
  for (const price of prices) {
    const [amount = '', currency = ''] = price.split(' ');
    const [whole = '', part = ''] = amount.split('.');
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(whole + part.padEnd(DIGITS, '0')));
  }
  return [...sums].map(([currency, sum]) => `${format(sum)} ${currency}`);
}

/** With two digits after the point, or as many as it has. */
function format(sum: bigint): string {
  const digits = String(sum).padStart(DIGITS + 1, '0');
  return `${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS).replace(/0{1,4}$/, '')}`;
}
