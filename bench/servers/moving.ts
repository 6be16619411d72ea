import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { startNode, temporaryFolder } from '../../test/servers/node.ts'
import { run } from '../child.ts'
import { millraceFile, programFile } from '../places.ts'
import type { Filled } from '../programs/fill.ts'
import type { Pace } from '../programs/rebuild.ts'

export interface Moving {
  readonly events: number
  /** Imported events a second, including the start of the program. */
  readonly imported: number
  /** Events a second of a rebuild into embedded read models. */
  readonly rebuilt: number
}

/** Moves a log with a number of contacts from the embedded files to a new EventStoreDB, and rebuilds the read models from there. */
export const moving = async (contacts: number): Promise<Moving> => {
  const home = temporaryFolder('bench')
  const [from, to, archive] = ['from', 'to', 'all.ndjson'].map((name) => path.join(home, name)) as [
    string,
    string,
    string,
  ]
  const { events } = await run<Filled>(programFile('fill'), { args: [from, 'contacts', String(contacts)] })
  const node = await startNode(temporaryFolder('bench-log'))
  const env = { ...process.env, EVENTSTOREDB_URL: node.url }
  try {
    const millrace = (args: readonly string[], settings: NodeJS.ProcessEnv) =>
      execFileSync(process.execPath, [millraceFile(), ...args], { env: settings, stdio: 'ignore' })
    millrace(['events', 'export', '--archive', archive, '--data', from], process.env)
    cpSync(path.join(from, 'secret'), path.join(to, 'secret'))
    const begun = performance.now()
    millrace(['events', 'import', archive, '--data', to], env)
    const imported = (events * 1000) / (performance.now() - begun)
    const { perSecond } = await run<Pace>(programFile('rebuild'), {
      args: [to, 'rebuild'],
      env: { EVENTSTOREDB_URL: node.url },
    })
    return { events, imported, rebuilt: perSecond }
  } finally {
    await node.end()
  }
}
