import { copyFileSync, cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { keyHalvesFile, logFile } from '../../../infra/log-db/store.ts'
import { connect } from '../../../infra/sqlite/binding.ts'
import { HALF_BYTES } from '../../../infra/vault/key-store.ts'
import { millrace } from '../../support/millrace.ts'
import { byForm, patience, printFigures } from '../form.ts'
import { eventsIn, eventsOf, expectDocumentsOfLog, expectVerified, firstLife } from '../history.ts'
import { type Ledger, send, type Target } from '../ledger.ts'
import { expectOnce, findMarks, settingFor } from '../outcome.ts'
import { type SuiteDirectories, startServiceProcess, suiteDirectories, targetOf } from '../service-process.ts'
import { startWriting, writeFor } from '../writing.ts'

const BACKUPS = byForm(1, 6)
const WRITERS = 6

const FULL_NAME = { first_name: 'Zenobiaxyla', last_name: 'Quartermainevski', email_address: 'zx@unmistakable.example' }

describe('a backup', function () {
  this.timeout(patience)
  let places: SuiteDirectories
  before(() => {
    places = suiteDirectories('backup')
  })
  after(() => places.clear())

  const backUp = async (data: string): Promise<{ folder: string; position: number }> => {
    const folder = join(places.place(), 'backup')
    const { code, out, err } = await millrace(['backup', folder, '--data', data, '--json'])
    expect(code, err).to.equal(0)
    return { folder, position: JSON.parse(out).position }
  }

  /** Makes a directory with the log of one backup, the key halves of one, and the secret. */
  const restored = (log: string, keys: string, data: string): string => {
    const place = places.place()
    for (const folder of [join(log, 'log'), join(keys, 'keys')]) cpSync(folder, place, { recursive: true })
    copyFileSync(join(data, 'secret'), join(place, 'secret'))
    return place
  }

  const expectWhole = async (data: string, from: string, position: number, token: string, ledger: Ledger) => {
    await expectVerified(data)
    const events = await eventsOf(data)
    expect(events.at(-1)!.position, 'the position that the backup told').to.equal(position)
    const { out } = await millrace(['events', 'export', '--to', String(position), '--data', from])
    expect(events).to.deep.equal(eventsIn(out))
    const life = await startServiceProcess(data)
    expectOnce(ledger, await findMarks(targetOf(life, token)))
    await expectDocumentsOfLog(life, data)
    await expectVerified(data)
  }

  it('that is made during writes contains all writes acknowledged before it began', async () => {
    const data = places.place()
    const { life, target, token } = await firstLife(data)
    const setting = await settingFor(target)
    const earlier: Ledger[] = []
    let events = 0
    for (let round = 0; round < BACKUPS; round++) {
      earlier.push(await writeFor(600, target, setting, `a${round}`, WRITERS, places.chance))
      const writing = startWriting(target, setting, `b${round}`, WRITERS, places.chance)
      await new Promise((go) => setTimeout(go, places.chance.below(200)))
      const { folder, position } = await backUp(data)
      earlier.push(await writing.stop())
      await expectWhole(
        restored(folder, folder, data),
        data,
        position,
        token,
        earlier.flat().slice(0, -earlier.at(-1)!.length),
      )
      events = position + 1
    }
    expect(await life.stop()).to.equal(0)
    printFigures(
      'backups under load',
      `${BACKUPS}, the last with ${events} events: restored whole, nothing acknowledged before is missing`,
    )
  })

  describe('of before and of after an erasure', () => {
    let data: string
    let token: string
    let id: number
    let exportId: number
    let older: string
    let newer: string

    before(async () => {
      data = places.place()
      const first = await firstLife(data)
      token = first.token
      id = (await made(first.target, FULL_NAME)).id
      await made(first.target, { first_name: 'Ada', email_address: 'ada@example.com' })
      const action = { fields: ['email_address', 'last_name'], target_all: true }
      const body = { contacts_export_action: action }
      const path = `/workspaces/${first.target.workspaceId}/contacts/export_actions`
      exportId = (await send(first.target, 'POST', path, { body }))!.body.id
      expect(await exported(first.target))
        .to.include(FULL_NAME.last_name)
        .and.include('ada@example.com')
      older = (await backUp(data)).folder
      expect((await send(first.target, 'DELETE', `/contacts/${id}/gdpr_destroy`))?.status).to.equal(204)
      newer = (await backUp(data)).folder
      expect(await first.life.stop()).to.equal(0)
    })

    const made = async (target: Target, contact: object) =>
      (await send(target, 'POST', `/workspaces/${target.workspaceId}/contacts`, { body: { contact } }))!.body

    /** Waits until the export is complete. @returns its file */
    const exported = async (target: Target): Promise<string> => {
      for (;;) {
        const { file_url } = (await send(target, 'GET', `/contacts/export_actions/${exportId}`))!.body
        if (file_url) return (await fetch(file_url)).text()
        await new Promise((go) => setTimeout(go, 10))
      }
    }

    const halfOf = (place: string, number: number): Buffer =>
      readFileSync(keyHalvesFile(place)).subarray(number * HALF_BYTES, (number + 1) * HALF_BYTES)

    const slotOf = (place: string): number => {
      const db = connect(logFile(place), true)
      const { slot } = db.prepare('SELECT slot FROM key WHERE subject = ?').get(id) as { slot: number }
      db.close()
      return slot
    }

    /** Starts the restored directory. Expects that the person is erased everywhere, and another person is not. */
    const expectErased = async (place: string): Promise<void> => {
      const life = await startServiceProcess(place)
      const target = targetOf(life, token)
      const contacts = `/workspaces/${target.workspaceId}/contacts`
      const shown = [
        await send(target, 'GET', `/contacts/${id}`),
        await send(target, 'GET', contacts),
        await send(target, 'GET', `${contacts}?filter[email_address]=${FULL_NAME.email_address}`),
      ]
      expect(shown.map((answer) => answer?.status)).to.deep.equal([200, 200, 200])
      const text = JSON.stringify(shown)
      for (const value of Object.values(FULL_NAME)) expect(text).not.to.include(value)
      expect(text).to.include('ada@example.com')
      expect(await exported(target)).to.equal('Email address,Last name\r\nada@example.com,\r\n')
      await expectDocumentsOfLog(life, place)
      for (const name of readdirSync(place, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(db|mdb|db-wal)$/.test(name)) continue
        for (const value of Object.values(FULL_NAME))
          expect(readFileSync(join(place, name)).includes(value)).to.equal(false)
      }
      await expectVerified(place)
    }

    it('keeps the person erased under an old log with the new halves', async () => {
      const place = restored(older, newer, data)
      expect(halfOf(place, slotOf(place)).every((byte) => byte === 0)).to.equal(true)
      await expectErased(place)
    })

    it('erases again at the start under a new log with old halves', async () => {
      const place = restored(newer, older, data)
      expect(halfOf(place, slotOf(place)).every((byte) => byte === 0)).to.equal(false)
      await expectErased(place)
      expect(halfOf(place, slotOf(place)).every((byte) => byte === 0)).to.equal(true)
    })
  })
})
