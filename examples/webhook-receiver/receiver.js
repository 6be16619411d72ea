// Receives webhooks of Millrace: verifies who sent them, does everything once, and never lets older data replace newer.
// Run it with WEBHOOK_SECRET=whsec_… (the `signing_secret` of the endpoint) and PORT.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const TOLERANCE_S = 300
const key = Buffer.from((process.env.WEBHOOK_SECRET ?? '').replace('whsec_', ''), 'base64')
if (key.length === 0) throw new Error('WEBHOOK_SECRET is not set')

// Both belong into your database, in the transaction that also stores what you make of the event.
const done = new Set()
const newest = new Map()

const equal = (a, b) => a.length === b.length && timingSafeEqual(a, b)

const isGenuine = (headers, body) => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_S)) return false
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  // While a secret is being rotated there are several signatures, one for each.
  return signatures.split(' ').some((signature) => equal(Buffer.from(signature), Buffer.from(`v1,${digest}`)))
}

const take = ({ event_id: id, event_type: type, subject_type, subject_id, sequence, data }) => {
  if (done.has(id)) return 'known already'
  done.add(id)
  const subject = `${subject_type} ${subject_id}`
  // A redelivery may be older than what you have; of equal sequence are events about one and the same change.
  if (sequence < (newest.get(subject) ?? 0)) return `${type} of ${subject} is older than what is there`
  newest.set(subject, sequence)
  // `data` is the subject as the API showed it then: store it.
  return `${type} of ${subject}, revision ${sequence}: ${Object.keys(data).length} fields`
}

const bodyOf = async (request) => {
  const pieces = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

const server = createServer(async (request, response) => {
  const body = await bodyOf(request)
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end()
  console.log(take(JSON.parse(body)))
  // Answer when it is stored: anything but success is sent again.
  response.writeHead(204).end()
})
server.listen(Number(process.env.PORT ?? 8080), () => console.log(`listening on ${server.address().port}`))
