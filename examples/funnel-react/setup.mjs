// Makes the funnel of funnel-html, with the addresses of this app.
process.env.PAGES_URL ??= 'http://localhost:5011'
process.env.PAGES_ENDING ??= ''
process.env.PAGES_FILE ??= new URL('pages.json', import.meta.url).pathname
await import('../funnel-html/setup.mjs')
