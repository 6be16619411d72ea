import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { openReadOnly } from '../../infra/log-db/open-reader.ts'
import { documentsOnDisk } from '../support/documents.ts'
import { type Spawned, spawnMillrace } from '../support/millrace.ts'
import { caughtUp } from './caught-up.ts'
import { send, type Target } from './ledger.ts'

const PAIRS = 1000
const PAIRS_AT_ONCE = 25

interface Contest {
  readonly name: string
  /** Path of the collection below the workspace. */
  readonly path: string
  readonly item: string
  body(number: number, rival: 0 | 1): object
  readonly says: string
  /** Prefix of the claims in the log. */
  readonly claims: string
  readonly collection: string
  holds(document: Readonly<Record<string, unknown>>): boolean
}

const contests: readonly Contest[] = [
  {
    name: 'e-mail address of a contact',
    path: '/contacts',
    item: '/contacts',
    body: (number, rival) => ({
      contact: { email_address: rival ? `RACE.${number}@Example.com` : `race.${number}@example.com` },
    }),
    says: 'Request unprocessable: Email address has already been taken',
    claims: 'contact.email:',
    collection: 'contact',
    holds: ({ has_email, deleted_at, redacted_email }) => has_email === true && !deleted_at && !redacted_email,
  },
  {
    name: 'name of a tag',
    path: '/contacts/tags',
    item: '/contacts/tags',
    body: (number, rival) => ({ contacts_tag: { name: rival ? `RACE ${number}` : `Race ${number}` } }),
    says: 'Request unprocessable: Name has already been taken',
    claims: 'contacts/tag.name:',
    collection: 'contacts/tag',
    holds: () => true,
  },
]

const numbers = Array.from({ length: PAIRS }, (_, number) => number)

/** Runs a task for every number, a few at a time. */
const forEach = async <T>(of: readonly number[], task: (number: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (let at = 0; at < of.length; at += PAIRS_AT_ONCE)
    results.push(...(await Promise.all(of.slice(at, at + PAIRS_AT_ONCE).map(task))))
  return results
}

/** Number of records that hold claims. A record may hold several spellings of its value. */
const holdersOnDisk = async (data: string, prefix: string): Promise<number> => {
  const { log, close } = openReadOnly(data)
  const holders = new Set<string>()
  for await (const { key, stream } of log.claims()) if (key.startsWith(prefix)) holders.add(stream)
  await close()
  return holders.size
}

describe('two requests for one value', () => {
  let data: string
  let service: Spawned
  let target: Target
  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-race-'))
    service = await spawnMillrace(data)
    const { origin: url, api_key, workspace_id: workspaceId } = service.ready
    target = { url, token: api_key!, workspaceId }
  })
  after(async () => {
    await service.stop('SIGKILL')
    await rm(data, { recursive: true, force: true })
  })

  for (const { name, path: collection, item, body, says } of contests) {
    it(`never both get the ${name}: ${PAIRS} pairs`, async () => {
      const create = (number: number, rival: 0 | 1 = 0) =>
        send(target, 'POST', `/workspaces/${target.workspaceId}${collection}`, { body: body(number, rival) })
      const winners = await forEach(numbers, async (number) => {
        const answers = await Promise.all([create(number, 0), create(number, 1)])
        const [won, lost] = answers.sort((a, b) => a!.status - b!.status)
        expect([won?.status, lost?.status], `pair ${number}`).to.deep.equal([201, 422])
        expect(lost!.body.error).to.equal(says)
        expect(lost!.body.details[0].code).to.equal('taken')
        return won!.body.id as number
      })
      await forEach(
        numbers.filter((number) => number % 4 === 0),
        async (number) => {
          expect((await send(target, 'DELETE', `${item}/${winners[number]}`))!.status).to.equal(204)
          if (number % 8 > 0) return
          expect((await create(number))!.status, 'the value that was freed').to.equal(201)
          expect((await create(number, 1))!.status).to.equal(422)
        },
      )
    })
  }

  it('leave no claim behind that nobody holds', async () => {
    await caughtUp(target.url)
    await service.stop()
    const documents = await documentsOnDisk(data)
    for (const { name, claims, collection, holds } of contests) {
      const holders = [...documents.get(collection)!.values()].filter(holds).length
      expect(holders, name).to.equal((PAIRS * 7) / 8)
      expect(await holdersOnDisk(data, claims), name).to.equal(holders)
    }
  })
})
