import { createInterface } from 'node:readline'
import { claimDataDirectory } from '../../../infra/data-directory/claim.ts'

/** Prints that it is ready, claims the directory at the first line of its input, and holds it until the input ends. */
const input = createInterface({ input: process.stdin })
const lines = input[Symbol.asyncIterator]()
process.stdout.write('ready\n')
await lines.next()
try {
  const { release } = await claimDataDirectory(process.argv[2]!)
  process.stdout.write('claimed\n')
  await lines.next()
  await release()
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`)
}
process.exit()
