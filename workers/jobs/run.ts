import type { Logger } from 'pino'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { Job } from '../../domain/kinds/job.ts'
import { type JobParts, performJob } from './perform.ts'

interface RunnerParts extends Omit<JobParts, 'stopping'> {
  readonly jobs: readonly Job[]
  readonly log: EventLog
  readonly logger: Logger
}

export interface Runner {
  stop(): Promise<void>
}

const LONGEST_TIMER_MS = 2 ** 31 - 1
const RETRY_MS = 5000

/** Jobs that are not done, oldest first; their documents are all that the runner needs to go on after a restart. */
const unfinished = async ({
  live,
  jobs,
}: RunnerParts): Promise<{ readonly job: Job; readonly document: Document }[]> => {
  const found = await Promise.all(
    jobs.map(async (job) => {
      const documents = await live.find(job.resource.name, { where: { status: { $in: ['queued', 'processing'] } } })
      return documents.map((document) => ({ job, document }))
    }),
  )
  return found.flat().sort((a, b) => (String(a.document.created_at) < String(b.document.created_at) ? -1 : 1))
}

const dueAt = (document: Document): number =>
  typeof document.scheduled_for === 'string' ? Date.parse(document.scheduled_for) : 0

/** Carries out jobs one after another, each when it is due. */
export const startJobs = async (parts: RunnerParts): Promise<Runner> => {
  const { jobs, log, now, reached, logger } = parts
  const streams = jobs.map(({ resource }) => `${resource.name}-`)
  let stopped = false
  let wake = () => {}
  let woken = false
  const ring = () => {
    woken = true
    wake()
  }

  const sleep = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(milliseconds, LONGEST_TIMER_MS))
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
      if (woken) wake()
    })

  const work = async () => {
    while (!stopped) {
      woken = false
      let wait = LONGEST_TIMER_MS
      for (const { job, document } of await unfinished(parts)) {
        const until = dueAt(document) - now()
        if (until > 0) wait = Math.min(wait, until)
        else if (!stopped) {
          await performJob({ ...parts, stopping: () => stopped }, job, document).catch((error: unknown) => {
            logger.error({ err: error, job: document.id }, 'job failed; it will be tried again')
            wait = RETRY_MS
          })
        }
      }
      if (!stopped) await sleep(wait)
    }
  }

  const subscription = log.subscribe(
    async (batch) => {
      const newest = batch.findLast(
        (event) => event.revision === 0 && streams.some((prefix) => event.stream.startsWith(prefix)),
      )
      if (!newest) return
      await reached(newest.position, RETRY_MS)
      ring()
    },
    { after: await log.lastPosition() },
  )
  const working = work()
  return {
    async stop() {
      stopped = true
      ring()
      await subscription.close()
      await working
    },
  }
}
