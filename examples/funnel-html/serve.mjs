// Serves the pages. Any web server will do: this one only puts the tokens of pages.json into them.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'

const { PORT = '5010', PAGES_FILE = new URL('pages.json', import.meta.url) } = process.env
const { sdk, tokens, offer } = JSON.parse(await readFile(PAGES_FILE, 'utf8'))

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://pages')
  const name = pathname === '/' ? 'index' : pathname.slice(1).replace(/\.html$/, '')
  if (!Object.hasOwn(tokens, name)) {
    response.writeHead(404).end('Not found')
    return
  }
  const page = await readFile(new URL(`pages/${name}.html`, import.meta.url), 'utf8')
  const values = { TOKEN: tokens[name], SDK: sdk, OFFER: offer }
  const filled = page.replace(/%(TOKEN|SDK|OFFER)%/g, (_, key) => values[key])
  const policy = `default-src 'self'; style-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline' ${sdk}; connect-src ${sdk}; form-action ${sdk}`
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }).end(filled)
})
server.listen(Number(PORT), () => console.log(`http://localhost:${server.address().port}/`))
