// Bundles the app and serves it: every address that is no file is the one page, as single-page apps want it.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const { PORT = '5011', PAGES_FILE = fileURLToPath(new URL('pages.json', import.meta.url)) } = process.env
const { sdk, tokens } = JSON.parse(await readFile(PAGES_FILE, 'utf8'))

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('src/main.tsx', import.meta.url))],
  bundle: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  // As it is while one develops: React then mounts everything twice.
  jsxDev: true,
  define: { 'process.env.NODE_ENV': '"development"', TOKENS: JSON.stringify(tokens) },
  write: false,
})
const page = (await readFile(new URL('index.html', import.meta.url), 'utf8')).replace('%SDK%', sdk)
const policy = `default-src 'self'; style-src 'self' 'unsafe-inline'; script-src 'self' ${sdk}; connect-src ${sdk}; form-action ${sdk}`

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://app')
  const [type, text] =
    pathname === '/main.js' ? ['text/javascript', outputFiles[0].text] : ['text/html; charset=utf-8', page]
  response.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(text)
})
server.listen(Number(PORT), () => console.log(`http://localhost:${server.address().port}/`))
