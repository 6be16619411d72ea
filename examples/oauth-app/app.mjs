// Connects workspaces of Millrace by OAuth 2, stores their tokens, and calls the API. Node.js alone; the README says how to run it.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const {
  CLIENT_ID,
  CLIENT_SECRET,
  MILLRACE = 'http://localhost:4000',
  PORT = '3000',
  TOKENS = 'tokens.json',
} = process.env
if (!CLIENT_ID) throw new Error('CLIENT_ID is not set: millrace apps create prints it')
const SCOPE = 'contacts:read account:read'

/** One of the two registered redirect addresses: what is sent must be the same, byte for byte. */
const redirectUri = () => `http://localhost:${server.address().port}/callback`

const random = () => randomBytes(32).toString('base64url')
const digest = (text) => createHash('sha256').update(text).digest('base64url')

/** Requests under way, by state. Only the browser that began one may finish it. */
const waiting = new Map()

// A store that only this user may read. The file replaces the one before at once, so that it is never half written.
const load = () => (existsSync(TOKENS) ? JSON.parse(readFileSync(TOKENS, 'utf8')) : undefined)
const save = (tokens) => {
  writeFileSync(`${TOKENS}.new`, JSON.stringify(tokens), { mode: 0o600 })
  renameSync(`${TOKENS}.new`, TOKENS)
}

/** Sends the person to Millrace, to choose a workspace and to agree. */
const connect = async (_, response) => {
  const [state, verifier] = [random(), random()]
  if (waiting.size >= 1000) waiting.delete(waiting.keys().next().value)
  waiting.set(state, verifier)
  const request = new URLSearchParams({
    response_type: 'code',
    grant_type: 'authorization_code',
    client_id: CLIENT_ID,
    redirect_uri: redirectUri(),
    scope: SCOPE,
    state,
    new_installation: 'true',
    code_challenge: digest(verifier),
    code_challenge_method: 'S256',
  })
  const cookie = `state=${state}; Path=/callback; HttpOnly; SameSite=Lax`
  response.writeHead(302, { location: `${MILLRACE}/oauth/authorize?${request}`, 'set-cookie': cookie }).end()
}

/** Exchanges the code for tokens. */
const callback = async (request, response, query) => {
  const state = query.get('state') ?? ''
  const verifier = waiting.get(state)
  if (!verifier || !(request.headers.cookie ?? '').split('; ').includes(`state=${state}`))
    return page(response, 400, 'This request did not begin here. <a href="/connect">Connect</a>')
  waiting.delete(state)
  if (query.get('iss') !== MILLRACE) return page(response, 400, 'The answer is not from Millrace')
  if (query.has('error')) return page(response, 400, `Not connected: ${escaped(query.get('error'))}`)
  const answer = await fetch(`${MILLRACE}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: query.get('code') ?? '',
      redirect_uri: redirectUri(),
      client_id: CLIENT_ID,
      ...(CLIENT_SECRET && { client_secret: CLIENT_SECRET }),
      code_verifier: verifier,
    }),
  })
  const tokens = await answer.json()
  if (!answer.ok) return page(response, 502, `Not connected: ${escaped(tokens.error)}`)
  save(tokens)
  response.writeHead(303, { location: '/' }).end()
}

/** Calls the API. Tokens do not expire; 401 means that somebody has disconnected this application. */
const call = async ({ access_token, workspace_url }, path) => {
  const headers = { authorization: `Bearer ${access_token}` }
  const answer = await fetch(`${workspace_url}/api/v2${path}`, { headers })
  if (answer.status === 401) return undefined
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`)
  return answer.json()
}

const home = async (_, response) => {
  const tokens = load()
  if (!tokens) return page(response, 200, '<a href="/connect">Connect a workspace</a>')
  const contacts = await call(tokens, `/workspaces/${tokens.workspace_id}/contacts`)
  if (!contacts) {
    rmSync(TOKENS, { force: true })
    return page(response, 200, 'The workspace was disconnected. <a href="/connect">Connect it again</a>')
  }
  const me = await call(tokens, '/me')
  const items = contacts.map(({ email_address, id }) => `<li>${escaped(email_address ?? `contact ${id}`)}</li>`)
  page(
    response,
    200,
    `${escaped(tokens.workspace_name)}, connected by ${escaped(me?.email)}: ${contacts.length} contacts<ul>${items.join('')}</ul>`,
  )
}

const escaped = (text) => String(text).replace(/[&<>"']/g, (one) => `&#${one.codePointAt(0)};`)

const page = (response, status, html) => {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html><p>${html}</p>`)
}

const PATHS = { '/': home, '/connect': connect, '/callback': callback }

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  try {
    const answer = PATHS[pathname]
    if (answer) await answer(request, response, searchParams)
    else page(response, 404, 'Not found')
  } catch (error) {
    console.error(error)
    page(response, 502, 'Millrace could not be reached')
  }
}).listen(Number(PORT), 'localhost', () => console.log(`http://localhost:${server.address().port}/`))
