import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'

/** Loaded into a process before the service. The clock of the machine is ahead by what a file says, at any time, and waits of sockets are shortened that take minutes. */
const LOOKED_EVERY_MS = 20
const MINUTES = 9 * 60_000

const file = process.env.TEST_CLOCK_FILE
const shortest = Number(process.env.TEST_SOCKET_WAIT_MS ?? Number.POSITIVE_INFINITY)

if (file !== undefined) {
  const real = Date.now
  let ahead = 0
  const look = () => {
    ahead = Number(readFileSync(file, 'utf8')) || ahead
  }
  look()
  setInterval(look, LOOKED_EVERY_MS).unref()
  Date.now = () => real() + ahead
  globalThis.Date = new Proxy(Date, {
    construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [Date.now()] : given, as),
  })
}

const { setTimeout: waitFor } = Socket.prototype
Socket.prototype.setTimeout = function (ms, ...more) {
  return waitFor.call(this, ms > MINUTES ? Math.min(ms, shortest) : ms, ...more)
}
