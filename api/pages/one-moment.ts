/** Page for what cannot be shown yet, or not be taken at the moment. */
export const ONE_MOMENT =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>One moment</title></head><body><main><h1>One moment</h1><p>This page is not ready yet. It is asked for again in a few seconds.</p></main></body></html>'

/** Returns the headers of that page. Browsers ask again by themselves. */
export const askAgainIn = (seconds: number) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'Retry-After': String(seconds),
  Refresh: String(seconds),
})
