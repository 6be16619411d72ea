import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import pino from 'pino'
import { openSqliteLog } from '../../../infra/log-db/store.ts'
import { DONE } from '../../../workers/reactor/reaction.ts'
import { Reactor } from '../../../workers/reactor/reactor.ts'
import { register } from '../../../workers/reactor/register.ts'
import { reaction } from './setting.ts'

const [directory = '', notes = ''] = process.argv.slice(2)
const { log, reactorStore, checkpoints } = await openSqliteLog(directory)

const note = (what: string, n: unknown) => appendFileSync(notes, `${what} ${n}\n`)

const timesBegun = (n: unknown) =>
  existsSync(notes)
    ? readFileSync(notes, 'utf8')
        .split('\n')
        .filter((one) => one === `begun ${n}`).length
    : 0

const reactions = [
  reaction({
    async react({ data }, turn) {
      const before = timesBegun(data.n)
      note('begun', data.n)
      if (data.advances === true) await turn.advanced()
      if (data.saves === true) await turn.saveCursor(before)
      if (before < Number(data.endsTimes ?? 0)) process.kill(process.pid, 'SIGKILL')
      if (data.ends === true) process.kill(process.pid, 'SIGKILL')
      await new Promise((go) => setTimeout(go, Number(data.takes ?? 0)))
      note('done', data.n)
      return DONE
    },
  }),
]
const deps = { log, reactorStore, now: Date.now, logger: pino({ level: 'silent' }), pause: () => 5 }
const reactor = new Reactor(
  { ...deps, onFailure: () => process.exit(3) },
  reactions,
  await register({ reactorStore, checkpoints, log }, reactions),
)
await reactor.start()
const last = await log.lastPosition()
setInterval(async () => {
  if (reactor.position < last || (await reactorStore.counts()).pending.size > 0) return
  await reactor.stop()
  await log.close()
  process.exit(0)
}, 20)
