import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import type { Command } from 'commander'
import { createProgram } from '../../infra/cli/program.ts'
import { readConfig } from '../../infra/config.ts'
import { createCore } from '../../infra/runtime/core.ts'
import { openStores } from '../../infra/stores/open.ts'
import { startOwnLog } from '../servers/own-log.ts'
import { apiClient, ok } from '../support/client.ts'
import { allDocuments, countOf, type Documents, expectSameDocuments } from '../support/documents.ts'
import { hostMillrace, millrace } from '../support/millrace.ts'
import { mongoServers } from '../support/servers/mongo-servers.ts'

const MILLRACE_SECRET = 'a secret that is beside every backup'
const CONTACTS = 12
/** What an operator asks without naming anything: of the documents, the reactor store, the copy and the log. */
const READING: Readonly<Record<string, readonly string[]>> = {
  'apps list': [],
  'copy show': [],
  'domains list': [],
  'events export': ['--to', '5'],
  'failures list': [],
  'keys list': [],
  'mails list': [],
  'mails rates': [],
  'users list': [],
}
/** Commands that the other cases here are about. */
const TRIED = ['backup', 'events import', 'start', 'verify']
/** Commands that open the stores by the same road as those of READING, and change something or name a record. */
const CARRIED_OUT = [
  ...['apps create', 'apps remove', 'apps rotate', 'clock advance', 'clock show', 'copy hold', 'copy release'],
  ...['domains connect', 'domains verify', 'events tail', 'failures drop', 'failures retry', 'failures show'],
  ...['keys create', 'keys revoke', 'mails lift', 'mails open', 'mails release', 'mails send-again', 'mails show'],
  ...['mails suppression', 'rebuild', 'stats funnel', 'users invite', 'users reset', 'webhooks listen'],
  ...['workspace create'],
]

/** Returns the names of all commands. */
const commandsOf = ({ commands }: Command, before = ''): readonly string[] =>
  commands.flatMap((one) => {
    const name = `${before}${one.name()}`
    return one.commands.length > 0 ? commandsOf(one, `${name} `) : [name]
  })

it('knows every command', () => {
  const known = [...Object.keys(READING), ...TRIED, ...CARRIED_OUT]
  expect(commandsOf(createProgram()).toSorted()).to.deep.equal(known.toSorted())
})

type Settings = Readonly<Record<string, string>>
type OwnLog = Awaited<ReturnType<typeof startOwnLog>>

/** Where documents are: in the data directory, or on a server. */
const documentsOn = [{ name: 'SQLite', missing: undefined, url: undefined }, ...mongoServers]

for (const logOn of ['SQLite', 'EventStoreDB'] as const)
  for (const [number, documents] of documentsOn.entries())
    describe(`backup and verify, with the log on ${logOn} and documents on ${documents.name}`, function () {
      this.timeout(180_000)
      const servers: OwnLog[] = []
      let place: string
      let settings: Settings
      let original: Documents
      let installations = 0

      /** Settings of an installation that holds nothing yet. */
      const fresh = async (): Promise<Settings> => {
        const nth = ++installations
        const server = logOn === 'EventStoreDB' ? await startOwnLog('backups') : undefined
        if (server) servers.push(server)
        return {
          MILLRACE_SECRET,
          MILLRACE_DATA: path.join(place, `data-${nth}`),
          ...(server && { EVENTSTOREDB_URL: server.url }),
          ...(documents.url && {
            MONGODB_URL: `${(await documents.url()).replace(/\/$/, '')}/backups_${logOn}_${process.pid}_${nth}`,
          }),
        }
      }
      const documentsOf = async (of: Settings): Promise<Documents> => {
        const stores = await openStores(readConfig(of))
        try {
          await (await createCore(stores)).rebuild()
          return await allDocuments(stores.readModels.live)
        } finally {
          await stores.close()
        }
      }
      const run = (...args: readonly string[]) => millrace(args, settings)

      before(async function () {
        if (documents.missing) this.skip()
        place = mkdtempSync(path.join(tmpdir(), 'millrace-backups-'))
        settings = await fresh()
        const { ready, stop } = await hostMillrace(settings.MILLRACE_DATA!, settings)
        const api = apiClient(ready.origin, ready.api_key!)
        for (let nth = 0; nth < CONTACTS; nth++) {
          const contact = { first_name: 'Ada', email_address: `ada.${nth}@backups.example` }
          ok(await api.post(`/workspaces/${ready.workspace_id}/contacts`, { contact }))
        }
        await stop()
        original = await documentsOf(settings)
        expect(countOf(original)).to.be.greaterThan(CONTACTS)
      })
      after(async () => {
        for (const server of servers) await server.stop()
        if (place) rmSync(place, { recursive: true, force: true })
      })

      it('checks every event of the log, wherever it is', async () => {
        const { out: events } = await run('events', 'export')
        const { code, out, err } = await run('verify')
        expect(code, err + out).to.equal(0)
        expect(out).to.equal(`${events.trimEnd().split('\n').length} events, all in order; what is sealed opens.\n`)
      })

      // Each log and each place of documents once, since each command opens them by the same road.
      if (number % 2 === (logOn === 'SQLite' ? 0 : 1))
        it('answers what operators ask', async () => {
          for (const [name, more] of Object.entries(READING)) {
            const { code, err } = await run(...name.split(' '), ...more)
            expect(code, `${name}: ${err}`).to.equal(0)
          }
        })

      it('is backed up, restored and the same; or says how it is backed up, which gives the same', async () => {
        const target = path.join(place, 'backup')
        const { code, err } = await run('backup', target)
        const restored = await fresh()
        if (logOn === 'SQLite') {
          expect(code, err).to.equal(0)
          for (const folder of ['log', 'keys'])
            cpSync(path.join(target, folder), restored.MILLRACE_DATA!, { recursive: true })
        } else {
          expect(code).to.equal(1)
          expect(err).to.contain('millrace events export --archive')
          const archive = path.join(place, 'archive.ndjson')
          expect((await run('events', 'export', '--archive', archive)).code).to.equal(0)
          const imported = await millrace(['events', 'import', archive], restored)
          expect(imported.code, imported.err).to.equal(0)
        }
        expectSameDocuments(await documentsOf(restored), original)
        const shown = await millrace(['copy', 'show', '--json'], restored)
        expect(JSON.parse(shown.out)).to.include({ data: 'waiting' })
      })

      if (logOn === 'EventStoreDB' && !documents.url) {
        it('says of a second data directory that the keys are elsewhere, and what to do', async () => {
          const second = { ...settings, MILLRACE_DATA: path.join(place, 'second') }
          const { code, err } = await millrace(['start', '--port', '0', '--json'], second)
          expect(code, err).to.equal(1)
          expect(err).to.match(
            /no key for the personal data of \d+ here\..*use that one.*or give this installation a log of its own/,
          )
          const { code: still, err: said } = await run('keys', 'list')
          expect(still, said).to.equal(0)
        })

        it('is not taken for an empty log where the settings do not name the server', async () => {
          const { EVENTSTOREDB_URL: _, ...without } = settings
          for (const args of [['backup', path.join(place, 'nothing')], ['verify']]) {
            const { code, err } = await millrace(args, without)
            expect([code, err]).to.satisfy(
              ([found, said]: [number, string]) => found === 1 && said.includes('EVENTSTOREDB_URL'),
            )
          }
        })
      }
    })
