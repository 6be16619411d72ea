import { openEventStoreLog } from '../../../infra/eventstoredb/open.ts'
import { TestServer } from '../../servers/eventstoredb/server.ts'
import { eventLogContract } from '../event-log.contract.ts'

describe('EventStoreDB over the wire', () => {
  let server: TestServer
  before(async () => {
    server = await TestServer.start()
  })
  after(() => server.stop())

  eventLogContract('EventStoreDB (test server)', () => opened(server.url))
})

const { EVENTSTOREDB_URL } = process.env
if (EVENTSTOREDB_URL) eventLogContract('EventStoreDB (EVENTSTOREDB_URL)', () => opened(EVENTSTOREDB_URL))

async function opened(url: string) {
  let log = openEventStoreLog({ url })
  return {
    log,
    reopen: async () => {
      await log.close()
      log = openEventStoreLog({ url })
      return log
    },
    cleanup: () => log.close(),
  }
}
