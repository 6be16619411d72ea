import { expect } from 'chai'
import { appliedTagResource as appliedTag, contactResource as contact } from '../../../domain/contacts/contact/index.ts'
import { contact as model } from '../../../domain/contacts/contact/model.ts'
import { upcasterOf } from '../../../domain/kernel/decide/upcast.ts'
import { text } from '../../../domain/kernel/model/fields.ts'
import { emptyPersonalOf } from '../../../domain/kernel/model/fold.ts'
import type { Document, ReadModels } from '../../../domain/kernel/ports/read-models.ts'
import type { JsonObject, RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { workspace } from '../../../domain/resources/operations.ts'
import { record } from '../../../domain/resources/record.ts'
import { aggregatesOf } from '../../../domain/resources/resource.ts'
import { connectMongo, type MongoConnection } from '../../../infra/mongodb/connection.ts'
import { Generation } from '../../../infra/read-models/mongodb/generation.ts'
import { collectionsOf } from '../../../projections/collections.ts'
import { createProjection } from '../../../projections/projection.ts'
import { byForm } from '../../reliability/form.ts'
import { MemoryReadModels } from '../../support/memory/read-models.ts'
import { ids, OpenVault } from '../../support/projection.ts'
import { random, seedOfRun } from '../../support/random.ts'
import { describeOn, mongoServers } from '../../support/servers/mongo-servers.ts'
import { fresh } from '../event-log/setting.ts'
import { Died, MortalDb } from './points.ts'

const thing = record({
  name: 'tests/thing',
  title: 'Tests::Thing',
  root: 'tests_thing',
  category: 'store',
  under: workspace,
  operations: {},
  attributes: { name: text({ required: true }) },
  events: { ThingMade: { creates: true }, ThingNamed: { sets: ['name'] }, ThingRemoved: { ends: true } },
  indexes: [{ fields: ['name'] }],
})
const resources = [thing, contact, appliedTag]
const specs = new Map(collectionsOf(resources).map((spec) => [spec.name, spec]))
const vault = new OpenVault()
const project = createProjection({ resources, vault, upcast: upcasterOf(aggregatesOf(resources)), publicIds: ids })

type Told = readonly [stream: string, type: string, data: JsonObject]
const born = (subject: number): Told => [
  `contact-${subject}`,
  'ContactCreated',
  { uuid: `u${subject}`, time_zone: null, personal: vault.seal(subject, emptyPersonalOf(model)) },
]
const TAG = { applied_tag_id: 1005, tag_id: 5 }

/** Two things are found by names that they later release, and a contact gets a tag and loses it. */
const told: readonly Told[] = [
  ['tests/thing-1', 'ThingMade', { name: 'one' }],
  ['tests/thing-2', 'ThingMade', { name: 'two' }],
  born(9),
  ['contact-9', 'ContactTagApplied', TAG],
  ['tests/thing-1', 'ThingNamed', { name: 'three' }],
  ['tests/thing-2', 'ThingNamed', { name: 'four' }],
  ['contact-9', 'ContactTagRemoved', TAG],
  ['tests/thing-1', 'ThingNamed', { name: 'five' }],
  ['tests/thing-2', 'ThingRemoved', {}],
]

const recorded = ([stream, type, data]: Told, position: number, revision: number): RecordedEvent => ({
  id: `event-${position}`,
  type,
  data,
  stream,
  revision,
  position,
  metadata: {
    at: '2026-03-01T09:00:00.000Z',
    actor: 'key:1',
    $correlationId: 'c',
    $causationId: 'c',
    team_id: 3,
    workspace_id: 7,
  },
})
const history = told.map((one, position) =>
  recorded(one, position, told.slice(0, position).filter(([stream]) => stream === one[0]).length),
)

const all = async (models: ReadModels): Promise<Record<string, Document[]>> =>
  Object.fromEntries(
    await Promise.all([...specs.keys()].map(async (name) => [name, await models.find(name, { where: {} })] as const)),
  )

for (const server of mongoServers) {
  describe('Projecting into MongoDB', () => {
    describeOn(server, ({ url }) => {
      let connection: MongoConnection
      let database: string
      const flying = { now: 0, rounds: 0, commands: 0 }

      before(async () => {
        connection = await connectMongo({
          url: await url(),
          patienceMs: 10_000,
          onCommand: (name, came) => {
            if (name === 'ping' || name === 'endSessions') return
            if (came === 'ended') flying.now--
            else if (flying.now++ === 0) flying.rounds++
            if (came === 'sent') flying.commands++
          },
        })
      })
      after(() => connection.close())
      beforeEach(() => {
        database = fresh('t').slice(0, 30)
      })
      afterEach(() => connection.db(database).dropDatabase())

      /** Continues after the checkpoint, in batches of a size, until all changes are applied. */
      const goOn = async (mortal: MortalDb, size: number, from = 0): Promise<Generation> => {
        const generation = new Generation(mortal.of(connection.db(database)), 1, specs)
        const behind = Math.max(from, (await generation.checkpoint()) + 1)
        for (let next = behind; next < history.length; next += size)
          await project(history.slice(next, next + size), generation)
        return generation
      }

      it('ends with the same documents and the same past, at whichever of its writes it dies', async () => {
        const { below } = random(seedOfRun())
        const wanted = new MemoryReadModels()
        for (const event of history) await project([event], wanted)
        const undisturbed = new MortalDb()
        for (const size of [1, 3, history.length]) {
          await goOn(undisturbed, size)
          const writes = undisturbed.writes
          undisturbed.writes = 0
          await connection.db(database).dropDatabase()
          expect(writes).to.be.greaterThan(2)
          for (const at of Array.from({ length: writes }, (_, index) => index)) {
            for (const behind of byForm([at % 2 === 0], [false, true])) {
              const mortal = new MortalDb({ at, behind })
              const died = await goOn(mortal, size).then(
                () => false,
                (error: unknown) => error instanceof Died,
              )
              expect(died && mortal.isDead, `batches of ${size}, write ${at}`).to.equal(true)
              const generation = await goOn(new MortalDb(), 1 + below(3))
              const what = `batches of ${size}, dead ${behind ? 'behind' : 'at'} write ${at} of ${writes}`
              expect(await all(generation), what).to.deep.equal(await all(wanted))
              expect(await generation.checkpoint()).to.equal(history.length - 1)
              await connection.db(database).dropDatabase()
            }
          }
        }
      })

      it('changes nothing when everything comes again, in batches of any size', async () => {
        const generation = await goOn(new MortalDb(), 3)
        const before = await all(generation)
        for (const size of [1, 2, history.length]) {
          const again = new Generation(connection.db(database), 1, new Map(specs))
          for (let next = 0; next < history.length; next += size) await project(history.slice(next, next + size), again)
          expect(await all(again), `in batches of ${size}`).to.deep.equal(before)
        }
      })

      it('writes the collections marked as last after the others', async () => {
        const names = ['job', 'thing'] as const
        const some = new Map([
          ['job', { name: 'job', indexes: [], written: 'last' }],
          ['thing', { name: 'thing', indexes: [] }],
        ] as const)
        const changes = names.map((collection) => ({ collection, id: 1, document: { id: 1 }, position: 3 }))
        const found = async () => {
          const models = new Generation(connection.db(database), 1, some)
          const there = await Promise.all(names.map((name) => models.get(name, 1)))
          return names.filter((_, index) => there[index])
        }
        const mortal = new MortalDb({ at: 1, behind: false })
        const dying = new Generation(mortal.of(connection.db(database)), 1, some)
        expect(await dying.apply(changes, 3).catch((error: unknown) => error)).to.be.instanceOf(Died)
        expect(await found()).to.deep.equal(['thing'])
        await new Generation(connection.db(database), 1, some).apply(changes, 3)
        expect(await found()).to.deep.equal(names)
      })

      const measured = async (work: () => Promise<unknown>) => {
        Object.assign(flying, { rounds: 0, commands: 0 })
        await work()
        return { rounds: flying.rounds, commands: flying.commands }
      }

      it('needs two round trips for any number of new documents; one more for documents that are read first, and for those that leave something behind', async () => {
        const generation = new Generation(connection.db(database), 1, specs)
        const next = (position: number) => measured(() => project([history[position]!], generation))
        await next(0)
        expect(await next(1)).to.deep.equal({ rounds: 2, commands: 2 })
        await next(2)
        await next(3)
        await next(4)
        expect(await next(5)).to.deep.equal({ rounds: 4, commands: 4 })
        const many = Array.from({ length: 60 }, (_, index) => recorded(born(100 + index), 100 + index, 0))
        expect(await measured(() => project(many, generation))).to.deep.equal({ rounds: 2, commands: 2 })
        // FerretDB needs a limit of twenty replacements in one command.
        const changed = many
          .slice(0, 20)
          .map(({ stream }, index) => recorded([stream, 'ContactIdentified', {}], 300 + index, 1))
        expect(await measured(() => project(changed, generation))).to.deep.equal({ rounds: 3, commands: 3 })
      })
    })
  })
}
